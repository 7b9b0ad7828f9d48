import { formatAmount, formatCount } from '../../report/number.ts';
import { RUNS_TO_CONFIRM } from '../reports/confirmed-findings.ts';
import type { SarifExport } from '../reports/sarif.ts';

export function tooFewNote({
  workflow,
  task,
  runs,
}: {
  readonly workflow: string;
  readonly task: string;
  readonly runs: number;
}): string {
  return `${workflow} on ${task}: ${formatAmount(runs, 'run')} confirms nothing, ${RUNS_TO_CONFIRM} are needed.`;
}

/** What was written, and what was left out. */
export function exportNotes({ results, withoutFile, beyondLimit, withoutSeverity }: SarifExport): string[] {
  return [
    `${formatAmount(results, 'confirmed finding')}.`,
    ...(withoutFile > 0
      ? [
          `${formatCount(withoutFile)} more name no file and were left out; GitHub refuses results without one.`,
        ]
      : []),
    ...(beyondLimit > 0
      ? [`${formatCount(beyondLimit)} more, the least severe, were left out to stay within GitHub's limits.`]
      : []),
    ...(withoutSeverity > 0
      ? [`${formatAmount(withoutSeverity, 'finding')} without a severity became warnings.`]
      : []),
  ];
}
