import {
  formatCents,
  formatCount,
  formatPerUsd,
  formatTokens,
  UNMEASURED,
} from '../../../../src/report/number.ts';
import type { Explanation } from '../../api/shapes.ts';
import { Card } from '../../parts/card.tsx';

/** What it took. */
export function Figures({ explanation }: { readonly explanation: Explanation }) {
  const { usage, cost_usd: cost, roi, roi_reason: why, delegation } = explanation;
  const tokens = (value: number | undefined) => (value === undefined ? UNMEASURED : formatTokens(value));
  const rows: readonly (readonly [string, string])[] = [
    ['cost', cost === null ? `${UNMEASURED} ${explanation.cost_reason ?? ''}` : formatCents(cost)],
    ['Q per dollar', typeof roi === 'number' ? formatPerUsd(roi) : (roi ?? `${UNMEASURED} ${why ?? ''}`)],
    ['written', tokens(usage?.output)],
    ['read', tokens(usage?.input)],
    ['read from a cache', tokens(usage?.cache_read)],
    ['context shortened', `${formatCount(explanation.compactions)} times`],
    ...(delegation.spawned > 0
      ? [['sub-agents', `${delegation.completed} of ${delegation.spawned} completed`] as const]
      : []),
  ];
  return (
    <Card title="What it took">
      <dl class="figures">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
