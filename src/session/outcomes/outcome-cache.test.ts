import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openOutcomeCache } from './outcome-cache.ts';
import type { WorkOutcome } from './work-outcome.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-outcomes-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const ROW = { session: 's', linesWritten: 7 } as unknown as WorkOutcome;

it('remembers a row, and forgets all when a single digit was changed', () => {
  const path = join(root, 'own', 'outcomes.json');
  const cache = openOutcomeCache(path);
  cache.remember(new Map([['key', ROW]]));
  cache.save();
  expect(openOutcomeCache(path).recall('key')).toEqual(ROW);
  writeFileSync(path, readFileSync(path, 'utf8').replace(':7', ':9'));
  expect(openOutcomeCache(path).recall('key')).toBeUndefined();
});

it('remembers what was found out afresh in the place of what it knew', () => {
  const path = join(root, 'own', 'outcomes.json');
  for (const [linesWritten, fresh] of [
    [7, false],
    [8, true],
  ] as const) {
    const cache = openOutcomeCache(path, fresh);
    expect(cache.recall('key')).toBeUndefined();
    cache.remember(new Map([['key', { ...ROW, linesWritten }]]));
    cache.save();
  }
  expect(openOutcomeCache(path).recall('key')).toEqual({ ...ROW, linesWritten: 8 });
});
