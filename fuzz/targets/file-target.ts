/** A reader of one file: the input is written to it, and the reader is given its path. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../target.ts';

type Reading = {
  readonly name: string;
  /** What the file is called. */
  readonly file: string;
  /** Files of the repository to begin with. */
  readonly like?: readonly string[];
  readonly read: (path: string, folder: string) => unknown;
};

/** Fixtures that are much longer only slow a run down. */
const LONGEST_SEED = 48 * 1024;

export function fileTarget({ name, file, like = [], read }: Reading): Target {
  return {
    name,
    seeds: () => filesLike(like),
    open: (folder) => ({
      read: (input) => {
        const path = join(folder, file);
        writeFileSync(path, input);
        return read(path, folder);
      },
    }),
  };
}

export function filesLike(patterns: readonly string[]): Buffer[] {
  return globSync([...patterns])
    .sort()
    .map((path) => readFileSync(path))
    .filter(({ length }) => length <= LONGEST_SEED)
    .slice(0, 12);
}
