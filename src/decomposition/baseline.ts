/** The run that later ones are compared with: a file under git, reviewed like code. */
import { existsSync } from 'node:fs';
import { AssayError } from '../errors.ts';
import { replaceFile, underLock } from '../locked-file.ts';
import { type Result, readResult } from './result-file.ts';
import type { RunJson } from './run-json.ts';

export const BASELINE_FILE = '.baseline.json';

/** A result without the lists of each case: what a comparison needs, and a diff that people can read. */
export function baselineOf({ format, version, run, suite, cases }: RunJson) {
  const { golden_hash, n_cases, metrics } = suite;
  return {
    format,
    version,
    run,
    suite: { golden_hash, n_cases, metrics },
    cases: cases.map((one) => ({ id: one.id, zone: one.zone, metrics: one.metrics })),
  };
}

/** The cases that could not be measured. A run with gaps is no baseline: every later run would look complete beside it. */
export function gapsOf(run: RunJson): string[] {
  return run.cases.filter((one) => 'error' in one).map(({ id }) => id);
}

export async function writeBaseline(path: string, run: RunJson): Promise<void> {
  await underLock(path, () => replaceFile(path, `${JSON.stringify(baselineOf(run), null, 2)}\n`));
}

export function readBaseline(path: string): Result {
  if (!existsSync(path)) {
    throw new AssayError('FILE_NOT_FOUND', `there is no baseline at ${path}`, {
      remedy: 'Make one with `assay decomposition baseline` before the change that you want to judge.',
    });
  }
  return readResult(path);
}
