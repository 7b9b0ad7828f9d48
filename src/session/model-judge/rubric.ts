import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssayError } from '../../errors.ts';
import { readText } from '../../files.ts';

/** What a model is told to judge by. `sha256` tells two texts under one name apart. */
export type Rubric = { readonly name: string; readonly text: string; readonly sha256: string };

const SHIPPED = fileURLToPath(new URL('../../../rubrics/judge-session-v1.0.md', import.meta.url));
const MAX_BYTES = 64 * 1024;

/** The one that comes with the package unless a file is named. */
export function readRubric(path: string = SHIPPED): Rubric {
  const text = readText(path, MAX_BYTES);
  if (text.trim() === '') throw new AssayError('INPUT_INVALID', `${path} is empty`);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { name: basename(path).replace(/\.[^.]*$/, ''), text, sha256 };
}
