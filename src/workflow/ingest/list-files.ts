import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every file below a folder, sorted; without hidden files and folders such as `.git`, and without links: one that leads
 * back up would never end.
 */
export function listFiles(folder: string): string[] {
  return below(folder).sort();
}

function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) return [];
    if (entry.isDirectory()) return below(path);
    return entry.isFile() ? [path] : [];
  });
}
