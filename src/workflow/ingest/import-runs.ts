/** Runs of a review from any format, told by what the file holds. */
import type { ReviewRun } from '../review.ts';
import { kindName, kindOf } from './file-kind.ts';
import type { ImportedRuns, ImportOptions } from './formats/importer.ts';
import { readFile } from './read-file.ts';
import { RUN_REMEDY } from './run-schema.ts';
import { refuse } from './validate.ts';

/** One file; it may hold several runs. */
export function readRun(path: string, options?: ImportOptions): readonly ReviewRun[] {
  return importRuns(path, options).runs;
}

export function importRuns(path: string, options: ImportOptions = {}): ImportedRuns {
  const file = readFile(path);
  const kind = kindOf(file);
  if (typeof kind === 'object') return kind.readRuns(file, options);
  if (file.kind === 'lines')
    throw refuse(file.lines[0] ?? { path, value: undefined }, [], 'does not begin with a run', RUN_REMEDY);
  const whole = file.kind === 'document' ? file.document : { path, value: undefined };
  throw refuse(whole, [], `is no run of a review but ${kindName(kind)}`, RUN_REMEDY);
}
