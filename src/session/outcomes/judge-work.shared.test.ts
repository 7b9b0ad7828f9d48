/**
 * Commits found for sessions, compared with the records of the project's own tool. Its traces in the commits are not
 * read, because they are the answer.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAll } from '../ingest/read-all.ts';
import { judgeWork } from './judge-work.ts';
import { scratchFolder } from './testing/scratch-repository.ts';

const DATA = '../shared/data/session/claude-code';
type Recorded = Record<string, readonly (readonly [sha: string, isOnDefault: boolean])[]>;

describe('the shared sessions', () => {
  it.runIf(existsSync(join(DATA, 'repository.bundle')))('lead to the commits that are found', async () => {
    const clone = join(scratchFolder(), 'clone');
    const git = (...args: string[]): string =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    git('clone', '-q', '--no-checkout', join(DATA, 'repository.bundle'), clone);
    git('-C', clone, 'fetch', '-q', 'origin', '+refs/heads/*:refs/remotes/origin/*');
    const log = git('-C', clone, 'log', '--all', '--format=%H %at %s').trim().split('\n');
    const copyOf = new Map(log.map((line) => [line.slice(0, 40), line.slice(41)]));
    const recorded = JSON.parse(readFileSync(join(DATA, 'commits.json'), 'utf8')) as Recorded;
    const files = readdirSync(join(DATA, 'sessions')).map((name) => join(DATA, 'sessions', name));
    const { sessions } = await readAll(files, { threads: 0 });
    const known = sessions.map(({ path, facts }) => ({
      key: Object.keys(recorded).find((name) => path.includes(name)) ?? path,
      facts,
    }));
    const rows = await judgeWork(known, {
      places: [{ to: clone }],
      environment: process.env,
      attributions: false,
    });
    let [right, found, withOne, onDefault] = [0, 0, 0, 0];
    for (const [name, commits] of Object.entries(recorded)) {
      const wanted = new Set(commits.map(([sha]) => copyOf.get(sha)));
      const row = rows.get(name);
      const groups = new Set(row?.commits.map(({ sha }) => copyOf.get(sha)));
      const hits = [...groups].filter((one) => wanted.has(one)).length;
      right += hits;
      found += groups.size;
      withOne += hits > 0 ? 1 : 0;
      if (hits > 0 && commits.every(([, isOnDefault]) => isOnDefault) === (row?.state === 'on-default'))
        onDefault += 1;
    }
    // 42 of 48 and 33 of 39 when this was written; the others are also work of the session, or have none.
    expect(right / found).toBeGreaterThan(0.85);
    expect(withOne / Object.keys(recorded).length).toBeGreaterThan(0.8);
    expect(onDefault / withOne).toBeGreaterThan(0.9);
  });
});
