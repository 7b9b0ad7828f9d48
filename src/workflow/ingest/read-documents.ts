import { closeSync, openSync, readSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { AssayError } from '../../errors.ts';
import { fileError, readText } from '../../files.ts';
import { listFiles } from './list-files.ts';

const [MAX_FILES, MAX_BYTES] = [20_000, 4 * 1024 * 1024];

/** The reviewed documents below a folder: path from there, with forward slashes → text. Other files are left out. */
export function readDocuments(folder: string): ReadonlyMap<string, string> {
  const documents = new Map<string, string>();
  for (const path of filesOf(folder)) {
    // A picture or a program is nothing that a line or a quote could point into, however large it is.
    if (isBinary(path)) continue;
    const text = readText(path, MAX_BYTES);
    if (!text.includes('\0')) documents.set(relative(folder, path).split(sep).join('/'), text);
  }
  return documents;
}

function isBinary(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const start = Buffer.alloc(8192);
      return start.subarray(0, readSync(file, start)).includes(0);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw fileError(path, cause);
  }
}

function filesOf(folder: string): string[] {
  try {
    const files = listFiles(folder);
    if (files.length <= MAX_FILES) return files;
  } catch (cause) {
    throw fileError(folder, cause);
  }
  throw new AssayError('FILE_TOO_LARGE', `${folder} holds more than ${MAX_FILES} files`, {
    remedy: 'Name the folder that holds only the reviewed documents.',
  });
}
