import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBaseline, readResult, sideOf } from './result-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-result-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const good = {
  format: 'assay-run',
  version: 2,
  run: {
    id: 'r',
    instrument: 'decomposition',
    at: '2026-01-29T00:00:00.000Z',
    subject: 'local',
    extractor: 'local',
    prompt: null,
    model: null,
    scorer: 's',
    match_level: 'alias',
  },
  suite: { truth_hash: 'g', n_cases: 1, metrics: { overall: { value: 0.7, n: 1 } } },
  cases: [{ id: 'a', metrics: { overall: { value: null, n: 0, reason: 'nothing' } } }],
};

function write(value: unknown): string {
  const path = join(folder, 'r.json');
  writeFileSync(path, JSON.stringify(value));
  return path;
}

it('reads what was written, and ignores what a later version adds', () => {
  const side = sideOf(readResult(write({ ...good, later: 1, run: { ...good.run, more: true } })));
  expect(side.metrics).toEqual({ 'decomposition/overall': { measured: true, value: 0.7, n: 1 } });
  expect(side.cases).toEqual({ a: { 'decomposition/overall': { measured: false, reason: 'nothing' } } });
});

it.each([
  ['another kind of file', { ...good, format: 'x' }, /is not a result/],
  ['a newer version', { ...good, version: 3 }, /version 3; this Assay knows 2/],
  ['no JSON object', [], /is not a result/],
  [
    'a text for a number',
    { ...good, suite: { ...good.suite, metrics: { overall: { value: '1', n: 1 } } } },
    /suite\.metrics\.overall\.value/,
  ],
  ['two cases of one id', { ...good, cases: [good.cases[0], good.cases[0]] }, /same id/],
])('refuses %s', (_, value, message) => {
  expect(() => readResult(write(value))).toThrow(message);
});

it('says how to make a baseline where there is none', () => {
  expect(() => readBaseline(join(folder, '.baseline.json'))).toThrow(/no baseline at/);
});

it('lets no key of a file reach the prototype of an object', () => {
  const path = join(folder, 'r.json');
  writeFileSync(path, JSON.stringify(good).replaceAll('"overall":', '"__proto__":'));
  const side = sideOf(readResult(path));
  expect(side.metrics).toEqual({});
  expect(({} as Record<string, unknown>).value).toBeUndefined();
});

it('says how the outputs of a folder become a result', () => {
  expect(() => readResult(folder)).toThrow(
    expect.objectContaining({
      code: 'FILE_EXPECTED',
      ways: [expect.objectContaining({ step: expect.objectContaining({ operation: 'decomposition run' }) })],
    }),
  );
});
