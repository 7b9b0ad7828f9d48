import { expect, it } from 'vitest';
import { camelCase } from '../letter-case.ts';
import { printedRow, SESSION_COLUMNS, STORED_COLUMNS, storedColumns } from './columns.ts';
import type { SessionFacts } from './evidence.ts';
import { call, did, factsOfEvents, ran, reply, result, user } from './fold/testing/fold-events.ts';
import { scoreSession } from './score-session.ts';

const facts: SessionFacts = {
  version: 1,
  source: 'toy',
  sessionId: 's',
  project: '/home/me/garden',
  runs: [],
  abandoned: { entries: 0, usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
};
const one = {
  session: scoreSession(facts),
  facts,
  file: {
    path: 'a.jsonl',
    lines: 2,
    skipped: { 'not JSON': { count: 1, firstLine: 2 } },
    unknownRecords: {},
  },
};

it('names every column once, in snake case, and says what it is', () => {
  const keys = SESSION_COLUMNS.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => !/^[a-z]+(_[a-z]+)*$/.test(key))).toEqual([]);
  expect(SESSION_COLUMNS.filter(({ doc }) => doc.length < 5)).toEqual([]);
});

it('gives every required column a value, and only declared ones to the store', () => {
  const kept = storedColumns(one);
  const printed = printedRow(kept, {});
  expect(Object.keys(printed)).toEqual(SESSION_COLUMNS.map(({ key }) => key));
  for (const { key, required } of STORED_COLUMNS)
    if (required) expect([key, (kept as Record<string, unknown>)[camelCase(key)]]).not.toContain(undefined);
  expect(kept).toMatchObject({ sessionId: 's', project: '/home/me/garden', skippedLines: 1, runs: 0 });
  expect(kept).not.toHaveProperty('confidence');
  expect(printed).toMatchObject({ path: 'a.jsonl', project: '/home/me/garden', confidence: 'low' });
});

it('prints a session that cost nothing as free, and keeps no number for it', () => {
  const roi = { measured: false, free: true, reason: 'it was free' } as const;
  const kept = storedColumns({ ...one, session: { ...one.session, q: 0.5, costUsd: 0, roi } });
  expect(kept).not.toHaveProperty('roi');
  expect(printedRow(kept, {}).roi).toBe('free');
});

it('counts checks, risky actions and lines over all runs, and leaves out what no repository tells', () => {
  const worked = factsOfEvents(
    user('Fix the parser'),
    ...did(
      'Write',
      { file_path: 'src/parse.ts', content: 'export const parse = 1;\nexport const a = 2;' },
      true,
    ),
    ...ran('npx vitest run', false, '1 failed, 3 passed'),
    ...ran('npx tsc --noEmit', true),
    ...ran('pytest', false, "ModuleNotFoundError: No module named 'numpy'"),
    ...ran('git push --force', true),
    call('no', 'Write', { file_path: 'src/b.ts', content: 'x' }),
    result('no', { denied: true, reason: 'not that file' }),
    reply('Then I stop'),
    { kind: 'interrupt' },
    user('only the parser, please'),
    reply('ok'),
  );
  const counted = storedColumns({ ...one, session: scoreSession(worked), facts: worked });
  expect(counted).toMatchObject({
    checksPassed: 1,
    checksFailed: 1,
    checksImpossible: 1,
    riskyActions: 1,
    linesWritten: 2,
    corrections: 2,
    interruptions: 1,
    rejectedCalls: 1,
  });
  expect(counted).not.toHaveProperty('linesCommitted');
});
