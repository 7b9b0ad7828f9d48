import { formatAmount, formatScore } from '../../../../src/report/number.ts';
import type { SuiteRun } from './shapes.ts';
import { VerdictPill } from './verdict-pill.tsx';

/** The run in a sentence: its verdict, the figure that stands for the others, why. */
export function RunAnswer({ run: { gate, suite } }: { readonly run: SuiteRun }) {
  const overall = suite.metrics.overall;
  return (
    <>
      <VerdictPill verdict={gate.verdict} />{' '}
      {overall?.value == null ? (
        <>The overall score was not measured{overall?.reason ? `: ${overall.reason}` : ''}. </>
      ) : (
        <>
          <b>Overall {formatScore(overall.value)}</b> over {formatAmount(suite.n_cases, 'case')}.{' '}
        </>
      )}
      <span class="soft">{gate.reasons.slice(0, 2).join('; ')}</span>
    </>
  );
}
