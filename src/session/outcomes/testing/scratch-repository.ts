/** Real repositories for tests, in a scratch folder, with fixed times. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SessionFacts } from '../../evidence.ts';
import { finish, startFold, step } from '../../fold/fold.ts';
import type { EventInput } from '../../fold/testing/fold-events.ts';

const START = Date.parse('2026-03-02T09:00:00Z');
const HOUR_MS = 3_600_000;

/** This many hours after the start time of the test repository. */
export const hours = (count: number): number => START + count * HOUR_MS;
export const days = (count: number): number => hours(24 * count);

export type ScratchRepository = {
  readonly path: string;
  readonly git: (...args: readonly string[]) => string;
  readonly write: (name: string, lines: readonly string[]) => void;
  /** Commits everything at the given time; returns the hash. */
  readonly commit: (subject: string, at: number, ...args: readonly string[]) => string;
  /** Runs a git command at the given time. */
  readonly gitAt: (at: number, ...args: readonly string[]) => string;
};

export function scratchFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'assay-outcomes-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export function scratchRepository(path = join(scratchFolder(), 'app')): ScratchRepository {
  const gitAt = (at: number, ...args: readonly string[]): string => {
    const time = `${Math.floor(at / 1000)} +0000`;
    const env = {
      PATH: process.env.PATH,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.org',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.org',
      GIT_COMMITTER_DATE: time,
      GIT_EDITOR: 'true',
      ...(args[0] !== 'rebase' && args[0] !== 'cherry-pick' && { GIT_AUTHOR_DATE: time }),
    };
    return execFileSync('git', args, {
      cwd: path,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  };
  const git = (...args: readonly string[]): string => gitAt(START, ...args);
  const write = (name: string, lines: readonly string[]): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), `${lines.join('\n')}\n`);
  };
  const commit = (subject: string, at: number, ...args: readonly string[]): string => {
    git('add', '-A');
    gitAt(at, 'commit', '-q', '--allow-empty', '-m', subject, ...args);
    return git('rev-parse', 'HEAD');
  };
  mkdirSync(path, { recursive: true });
  git('init', '-q', '-b', 'main');
  return { path, git, gitAt, write, commit };
}

/** The facts of a session with these actions, at a time, in a folder. */
export function sessionAt(
  sessionId: string,
  project: string,
  at: number,
  ...events: readonly EventInput[]
): SessionFacts {
  const state = startFold('test');
  const all: EventInput[] = [
    { kind: 'session', sessionId, project },
    { kind: 'user', origin: 'user', text: 'please' },
    ...events,
  ];
  all.forEach((event, index) => {
    step(state, { ...event, line: index + 1, at: at + index } as Parameters<typeof step>[1]);
  });
  const facts = finish(state, sessionId);
  if (facts === undefined) throw new Error('nothing of a session was seen');
  return facts;
}
