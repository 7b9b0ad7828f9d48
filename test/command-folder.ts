import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { bareEnv } from './bare-env.ts';
import { LAUNCHER } from './launcher.ts';

export type CommandFolder = {
  readonly path: string;
  /** Runs a command there, with the folder as its home as well. */
  readonly assay: (...words: string[]) => { status: number | null; stdout: string; stderr: string };
  /** Writes JSON and returns its path, relative to the folder. */
  readonly write: (path: string, value: unknown) => string;
};

/** A new folder for each test of a file, removed after it, in which commands can be run as a person would. */
export function commandFolder(): CommandFolder {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-command-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  return {
    get path() {
      return folder;
    },
    assay: (...words) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, ...words], {
        cwd: folder,
        encoding: 'utf8',
        env: bareEnv(folder),
      });
      return { status, stdout, stderr };
    },
    write: (path, value) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), JSON.stringify(value));
      return path;
    },
  };
}
