import { formatScore } from '../../../../src/report/number.ts';
import { CATEGORIES, type Run } from './signals.ts';

const NAMES = {
  completion: 'Completion',
  execution: 'Execution',
  efficiency: 'Efficiency',
  outcome: 'Outcome',
} as const;

/** Where Q comes from: the width of a box is its weight, the fill what it earned; what is unmeasured is outlined. */
export function Contributions({ run: { categories } }: { readonly run: Run }) {
  return (
    <dl class="parts">
      {CATEGORIES.map((name) => {
        const { value, weight, contribution, coverage } = categories[name];
        const isMeasured = value !== null;
        return (
          <div key={name} class="part" style={{ flexGrow: Math.max(weight, 0.08) }}>
            <dt>{NAMES[name]}</dt>
            <dd>
              <span class={isMeasured ? 'box' : 'box unmeasured'} aria-hidden="true">
                {isMeasured && <i style={{ width: `${100 * value}%` }} />}
              </span>
              <span
                class="sub"
                {...(coverage < 1 && {
                  'data-hint': `${Math.round(100 * coverage)}% of its signals were measured`,
                })}
              >
                {isMeasured ? `${formatScore(contribution)} of ${formatScore(weight)}` : 'unmeasured'}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
