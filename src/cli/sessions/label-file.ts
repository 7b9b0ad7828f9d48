import { AssayError } from '../../errors.ts';
import type { LabelFile } from '../../operations/session/labels-request.ts';
import type { Arguments, Options } from '../command.ts';
import { textOf } from '../text-of.ts';

/** The file of ratings, of outcomes or of a benchmark that a command needs. */
export function labelFile(args: Arguments, command: string): LabelFile {
  const [ratings, outcomes, report] = ['ratings', 'outcomes', 'labels'].map((name) => textOf(args, name));
  if ([ratings, outcomes, report].filter((one) => one !== undefined).length === 1) {
    if (ratings !== undefined) return { ratings };
    return outcomes === undefined ? { report: report ?? '' } : { outcomes };
  }
  throw new AssayError(
    'USAGE',
    `assay ${command} needs ratings, outcomes or the labels of a benchmark, one of them`,
    {
      remedy:
        'E.g. --ratings ratings.csv, as assay sessions rate writes it; --outcomes outcomes.csv; --labels report.json.',
    },
  );
}

export const LABELS_OPTION: Options = {
  labels: {
    type: 'string',
    value: 'REPORT',
    doc: 'A benchmark’s own result: Harbor or Terminal-Bench folder, SWE-bench report, Inspect log, tau file; scores that people gave in Langfuse',
  },
};
