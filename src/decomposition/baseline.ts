/** The run that later ones are compared with: a file under git, reviewed like code. */
import { existsSync } from 'node:fs';
import { AssayError } from '../errors.ts';
import { replaceFile, underLock } from '../locked-file.ts';
import { type Result, readResult } from './result-file.ts';

export const BASELINE_FILE = '.baseline.json';

export async function writeBaseline(path: string, result: object): Promise<void> {
  await underLock(path, () => replaceFile(path, `${JSON.stringify(result, null, 2)}\n`));
}

export function readBaseline(path: string): Result {
  if (!existsSync(path)) {
    throw new AssayError('FILE_NOT_FOUND', `there is no baseline at ${path}`, {
      remedy: [
        {
          say: 'Make one before the change that you want to judge; see how',
          step: { operation: 'decomposition baseline', options: { help: true } },
        },
      ],
    });
  }
  return readResult(path);
}
