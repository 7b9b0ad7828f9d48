import { readMapping } from '../../workflow/ingest/read-file.ts';
import {
  type AuthorRow,
  authorRows,
  type CategoryRow,
  categoryRows,
  type Inspection,
  inspect,
} from '../../workflow/lint/inspect.ts';

export type LintRequest = {
  readonly paths: readonly string[];
  /** Folder of the reviewed documents. */
  readonly documents?: string;
  readonly minErrors?: number;
  /** File with severities and categories of other tools. */
  readonly mapping?: string;
  /** What a file is in a format that can hold either. */
  readonly as?: 'truth' | 'run';
};

export type LintedFiles = Inspection & {
  /** Errors per category, in the order of the ground truths. */
  readonly categories: readonly (readonly CategoryRow[])[];
  /** Labels per author. */
  readonly authors: readonly AuthorRow[];
};

/** Reads ground truths, runs and experiments, and says what is in them and what is wrong with them. */
export function lintFiles({ paths, mapping, ...options }: LintRequest): LintedFiles {
  const inspection = inspect(paths, {
    ...options,
    ...(mapping !== undefined && { maps: readMapping(mapping) }),
  });
  return {
    ...inspection,
    categories: inspection.truths.map(({ truth }) => categoryRows([truth])),
    authors: authorRows(inspection.runs),
  };
}
