import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileError } from '../../files.ts';

/** Told of entries that are neither files nor folders: they are not followed. */
type OnOther = (path: string) => void;

/**
 * Every file below a folder, sorted; without hidden files and folders such as `.git`, and without links: one that leads
 * back up would never end.
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
