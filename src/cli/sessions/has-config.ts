import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Arguments, Terminal } from '../command.ts';

/** The names that `config.ts` looks for; checking a configuration takes longer than seeing that there is none. */
export const NAMES = ['assay.config.ts', 'assay.config.js', 'assay.config.json'];

/** Whether a configuration was named, or one is here or further up. */
export function hasConfig({ values }: Arguments, { cwd }: Pick<Terminal, 'cwd'>): boolean {
  if (values.config !== undefined) return true;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (NAMES.some((name) => isThere(join(folder, name)))) return true;
    if (dirname(folder) === folder) return false;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
