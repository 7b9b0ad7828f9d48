import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type CommandHost, type CommandResult, runCommand } from '../src/testing/run-command.ts';
import { bareEnv } from './bare-env.ts';
import { LAUNCHER } from './launcher.ts';

export type CommandFolder = {
  readonly path: string;
  /** Runs a command there, with the folder as its home as well. */
  readonly assay: (...words: string[]) => Promise<CommandResult>;
  /** Writes JSON and returns its path, relative to the folder. */
  readonly write: (path: string, value: unknown) => string;
};

/** Runs a command in this process, in a folder that is its home as well. */
export function assayIn(
  folder: string,
  words: readonly string[],
  { env, stdin }: Pick<CommandHost, 'env' | 'stdin'> = {},
): Promise<CommandResult> {
  return runCommand(words, { cwd: folder, env: { ...bareEnv(folder), ...env }, stdin });
}

/** Starts the launcher in a process of its own, for what belongs to a process. */
export function launchIn(
  folder: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): CommandResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...bareEnv(folder), ...env },
  });
  return { status: status ?? -1, stdout, stderr };
}

/** A temporary folder per test, in which commands run as a user would run them. */
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
    assay: (...words) => assayIn(folder, words),
    write: (path, value) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), JSON.stringify(value));
      return path;
    },
  };
}
