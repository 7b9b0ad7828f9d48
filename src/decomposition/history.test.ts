import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  appendHistory,
  type HistoryEntry,
  historySeries,
  isoWeek,
  pointsOf,
  readHistory,
  weeklyPoints,
} from './history.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-history-'));
  file = join(folder, 'metrics-history.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const entry = (changes: Partial<HistoryEntry> = {}): HistoryEntry => ({
  run_id: 'one',
  at: '2026-01-01T00:00:00.000Z',
  subject: 'local',
  extractor: 'local',
  prompt: null,
  golden_hash: 'g',
  scorer: 's',
  standard: 'documented',
  n_cases: 15,
  n_errored: 0,
  verdict: 'passed',
  metrics: { overall: 0.7 },
  ...changes,
});

function appendInProcess(who: string, times: number): Promise<number | null> {
  const script = resolve('src/decomposition/testing/append-history.ts');
  const child = spawn(process.execPath, [script, file, who, String(times)], { stdio: 'inherit' });
  return new Promise((done) => child.on('exit', done));
}

describe('appending', () => {
  it('starts a file, and adds to it without touching what is there', async () => {
    expect(readHistory(file)).toEqual([]);
    await appendHistory(file, entry());
    await appendHistory(file, entry({ run_id: 'two', metrics: { overall: null } }));
    expect(readHistory(file)).toEqual([entry(), entry({ run_id: 'two', metrics: { overall: null } })]);
    expect(readdirSync(folder)).toEqual(['metrics-history.json']);
  });

  it('loses no entry of several processes that append at once', { timeout: 120_000 }, async () => {
    // A process that died at work left its lock behind; all of them find it at once.
    const dead = spawn(process.execPath, ['-e', '']);
    await new Promise((done) => dead.on('exit', done));
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: dead.pid, host: hostname() }));
    const writers = ['a', 'b', 'c', 'd', 'e', 'f'];
    const exits = await Promise.all(writers.map((who) => appendInProcess(who, 20)));
    expect(exits).toEqual(writers.map(() => 0));
    const ids = readHistory(file).map(({ run_id }) => run_id);
    const expected = writers.flatMap((who) => Array.from({ length: 20 }, (_, i) => `${who}-${i}`));
    expect(ids.toSorted()).toEqual(expected.toSorted());
    expect(readdirSync(folder)).toEqual(['metrics-history.json']);
  });

  it('waits only so long for a process that hangs, and names the lock', async () => {
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.pid, host: hostname() }));
    await expect(appendHistory(file, entry(), { waitMs: 50 })).rejects.toMatchObject({
      code: 'FILE_BUSY',
      message: expect.stringContaining('metrics-history.json.lock'),
    });
    expect(readHistory(file)).toEqual([]);
  });

  it('goes past the lock of a process that died, but not of one on another machine', async () => {
    const dead = spawn(process.execPath, ['-e', '']);
    await new Promise((done) => dead.on('exit', done));
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: dead.pid, host: hostname() }));
    await appendHistory(file, entry());
    expect(readHistory(file)).toHaveLength(1);
    // Another one died while it removed such a lock.
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: dead.pid, host: hostname() }));
    writeFileSync(`${file}.lock.breaking`, '');
    utimesSync(`${file}.lock.breaking`, 0, 0);
    await appendHistory(file, entry({ run_id: 'two' }), { waitMs: 2000 });
    expect(readdirSync(folder)).toEqual(['metrics-history.json']);
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: dead.pid, host: 'another-machine' }));
    await expect(appendHistory(file, entry(), { waitMs: 50 })).rejects.toMatchObject({ code: 'FILE_BUSY' });
  });

  it.each([
    ['{ "format": "assay-metrics-history", "version": 1, "runs": [', /metrics-history\.json:1 is not JSON/],
    ['{ "format": "assay-metrics-history", "version": 1, "runs": [{}] }', /runs\.0\.run_id/],
    ['{ "format": "assay-metrics-history", "version": 2, "runs": [] }', /version/],
    ['[]', /metrics-history\.json/],
    ['', /metrics-history\.json/],
  ])('refuses a damaged file (%s), names it and leaves it as it is', async (text, message) => {
    writeFileSync(file, text);
    await expect(appendHistory(file, entry())).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(message),
      ways: expect.arrayContaining([expect.objectContaining({ options: { 'no-history': true } })]),
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual(['metrics-history.json']);
  });
});

describe('a series', () => {
  it('holds only runs of the same extractor, prompt, golden set and scorer', () => {
    const entries = [
      entry({ run_id: '1' }),
      entry({ run_id: '2', golden_hash: 'other' }),
      entry({ run_id: '3', scorer: 'other' }),
      entry({ run_id: '4', prompt: 'decompose-concepts-v1.1' }),
      entry({ run_id: '5', extractor: 'llm' }),
      entry({ run_id: '6', at: '2026-02-01T00:00:00.000Z' }),
      entry({ run_id: '7', n_errored: 1 }),
    ];
    const series = historySeries(entries);
    expect(series.map(({ runs }) => runs.map(({ run_id }) => run_id))).toEqual([
      ['1', '6'],
      ['2'],
      ['3'],
      ['4'],
      ['5'],
    ]);
  });

  it('is in the order of time, however it was written, and leaves out what was not measured', () => {
    const [series] = historySeries([
      entry({ run_id: 'late', at: '2026-03-01T00:00:00.000Z', metrics: { overall: 0.3 } }),
      entry({ run_id: 'none', at: '2026-02-01T00:00:00.000Z', metrics: { overall: null } }),
      entry({ run_id: 'early', metrics: { overall: 0.1 } }),
    ]);
    if (series === undefined) throw new Error('no series');
    expect(pointsOf(series, 'overall').map(({ runId, value }) => [runId, value])).toEqual([
      ['early', 0.1],
      ['late', 0.3],
    ]);
    expect(pointsOf(series, 'constructor')).toEqual([]);
  });

  it('has one weekly point for the runs of a week: their mean', () => {
    const points = [
      { runId: 'a', at: '2026-01-26T00:00:00.000Z', value: 0.6 },
      { runId: 'b', at: '2026-02-01T23:00:00.000Z', value: 0.8 },
      { runId: 'c', at: '2026-02-02T00:00:00.000Z', value: 0.5 },
    ];
    expect(weeklyPoints(points)).toEqual([
      { week: '2026-W05', at: '2026-01-26T00:00:00.000Z', value: 0.7, runs: 2 },
      { week: '2026-W06', at: '2026-02-02T00:00:00.000Z', value: 0.5, runs: 1 },
    ]);
  });
});

// Oracle: Python datetime.date.isocalendar().
it.each([
  ['2026-01-29T12:00:00.000Z', '2026-W05', '2026-01-26'],
  ['2026-01-01T00:00:00.000Z', '2026-W01', '2025-12-29'],
  ['2025-12-29T00:00:00.000Z', '2026-W01', '2025-12-29'],
  ['2025-12-28T23:59:59.999Z', '2025-W52', '2025-12-22'],
  ['2027-01-03T10:00:00.000Z', '2026-W53', '2026-12-28'],
  ['2024-12-30T10:00:00.000Z', '2025-W01', '2024-12-30'],
  ['2021-01-03T10:00:00.000Z', '2020-W53', '2020-12-28'],
])('%s is in week %s', (at, week, monday) => {
  expect(isoWeek(at)).toEqual({ week, monday: `${monday}T00:00:00.000Z` });
});
