import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type FileToCache, openTranscriptCache } from './transcript-cache.ts';

it('keeps no answer that may rest on a file that is gone', () => {
  const root = mkdtempSync(join(tmpdir(), 'assay-cache-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const cache = openTranscriptCache(join(root, 'own', 'sessions.db'), 'a version');
  if (cache === undefined) throw new Error('no cache');
  onTestFinished(() => cache.close());
  const file = (path: string): FileToCache => ({
    path,
    identity: {} as FileToCache['identity'],
    beside: '',
    reading: {} as FileToCache['reading'],
    kept: { source: undefined, portions: [{ json: '[]' }] },
    prefix: undefined,
    progress: undefined,
    keys: new Float64Array(),
    resumed: false,
  });
  const answer = { about: 'a and b', rows: 'rows of both' };
  cache.remember([file('a'), file('b')]);
  cache.rememberAnswer('question', answer);
  cache.forgetGone(() => false);
  expect(cache.answer('question')).toEqual(answer);
  cache.forgetGone((path) => path === 'a');
  expect(cache.answer('question')).toBeUndefined();
  expect(cache.recall('a', undefined)).toBeUndefined();
  expect(cache.recall('b', undefined)).toBeDefined();
});
