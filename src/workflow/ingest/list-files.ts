import { closeSync, type Dirent, globSync, openSync, readdirSync, readSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { AssayError } from '../../errors.ts';
import { fileError, readText } from '../../files.ts';

/** Called for entries that are neither files nor folders; they are skipped. */
type OnOther = (path: string) => void;

/**
 * Lists every file below a folder, sorted. Skips hidden files and folders such as `.git`, and links, which could form a
 * loop.
 */
export function listFiles(folder: string, onOther: OnOther = () => {}): string[] {
  return below(folder, onOther).sort();
}

function below(folder: string, onOther: OnOther): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) return [];
    if (entry.isDirectory()) return below(path, onOther);
    if (!entry.isFile()) onOther(path);
    return entry.isFile() ? [path] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    throw fileError(folder, cause);
  }
}

/** Expands patterns in paths that the shell did not expand. */
export function expandPatterns(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    if (!/[*?{]/.test(pattern)) return [pattern];
    const paths = globSync(pattern).sort();
    if (paths.length === 0) throw new AssayError('FILE_NOT_FOUND', `no file fits ${pattern}`);
    return paths;
  });
}

const [MAX_FILES, MAX_BYTES] = [20_000, 4 * 1024 * 1024];

/** The reviewed documents below a folder: relative path with forward slashes → text. Other files are skipped. */
export function readDocuments(folder: string): ReadonlyMap<string, string> {
  const documents = new Map<string, string>();
  for (const path of filesOf(folder)) {
    // No line or quote can refer to a binary file, so skip it without reading.
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
