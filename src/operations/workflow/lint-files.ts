import { readMapping } from '../../workflow/ingest/read-file.ts';
import { type Inspection, type InspectOptions, inspect } from '../../workflow/lint/inspect.ts';

export type LintRequest = Omit<InspectOptions, 'maps'> & {
  readonly paths: readonly string[];
  /** File with the severities and categories of other tools. */
  readonly mapping?: string;
};

/** Reads ground truths, runs and experiments, and reports their content and problems. */
export function lintFiles({ paths, mapping, ...options }: LintRequest): Inspection {
  return inspect(paths, { ...options, maps: mapping === undefined ? undefined : readMapping(mapping) });
}
