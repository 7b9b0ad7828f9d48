import { AssayError } from '../../errors.ts';
import type { LabelFile } from '../../operations/session/match-labels.ts';
import type { Options, SomeArguments } from '../command.ts';
import type { SessionArguments } from './options.ts';

export const LABELS_OPTIONS = {
  ratings: { type: 'path', value: 'FILE', doc: 'CSV or JSONL with session_id,rating (1 to 5)' },
  labels: {
    type: 'path',
    value: 'REPORT',
    doc: 'A benchmark’s own result: Harbor or Terminal-Bench folder, SWE-bench report, Inspect log, tau file; scores from Langfuse',
  },
} as const satisfies Options;

/** The file of ratings, of outcomes or of a benchmark that a command needs. */
export function labelFile(
  { values }: SomeArguments<typeof LABELS_OPTIONS> & SessionArguments,
  command: string,
): LabelFile {
  const { ratings, outcomes, labels } = values;
  if ([ratings, outcomes, labels].filter((one) => one !== undefined).length === 1) {
    if (ratings !== undefined) return { ratings };
    return outcomes === undefined ? { report: labels ?? '' } : { outcomes };
  }
  throw new AssayError(
    'USAGE',
    `assay ${command} needs exactly one of ratings, outcomes and benchmark labels`,
    {
      remedy:
        'E.g. --ratings ratings.csv, as assay sessions rate writes it; --outcomes outcomes.csv; --labels report.json.',
    },
  );
}
