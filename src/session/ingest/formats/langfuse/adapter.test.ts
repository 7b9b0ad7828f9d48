import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readReport } from '../../../calibration/harness/read-report.ts';
import { looksLike } from '../../files/file-kind.ts';
import { tempFolder } from '../../testing/temp-folder.ts';
import {
  expectWellFormed,
  kindsOf,
  ofKind,
  readDocument,
  readLines,
  sessionsOf,
} from '../testing/read-events.ts';
import { langfuseAdapter } from './adapter.ts';

const FOLDER = 'test/fixtures/session/langfuse';
const trace = JSON.parse(readFileSync(`${FOLDER}/trace.json`, 'utf8'));
const lines = readFileSync(`${FOLDER}/observations.jsonl`, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const NAME = `trace:${trace.id}`;
const folder = tempFolder();

describe('a trace of Langfuse', () => {
  const read = readDocument(langfuseAdapter, trace);

  it('is a session told by time, with what the model wished for and what it was given', () => {
    expectWellFormed(read);
    expect(read.unknown).toEqual([]);
    expect(sessionsOf(read)).toEqual([NAME]);
    expect(kindsOf(read)).toEqual(['user', 'reply', 'call', 'result', 'reply']);
    expect(ofKind(read, 'call')).toMatchObject([
      { callId: 'c1', tool: 'berths', input: { harbour: 'north' } },
    ]);
    expect(ofKind(read, 'result')).toMatchObject([{ callId: 'c1', text: '{"boats": 12}' }]);
  });

  it('counts what was cached apart, and each cost once', () => {
    expect(ofKind(read, 'reply').map(({ usage, costUsd }) => ({ ...usage, costUsd }))).toEqual([
      { input: 120, output: 30, cacheRead: 0, cacheWrite: 0, costUsd: 0.00065 },
      { input: 200, output: 20, cacheRead: 100, cacheWrite: 0, costUsd: 0.0008 },
    ]);
  });

  it.each([
    ['in a list', [trace]],
    ['in a page', { data: [trace], meta: { page: 1 } }],
    [
      'as it is downloaded',
      { trace: { ...trace, observations: undefined }, observations: trace.observations },
    ],
    ['as observations alone', { data: trace.observations, meta: { cursor: null } }],
  ])('reads the same %s', (_where, document) => {
    expect(langfuseAdapter.detect({ records: [document], document: true, path: 'x.json' })).toBe(true);
    const same = readDocument(langfuseAdapter, document);
    expect(sessionsOf(same)).toEqual([NAME]);
    expect(kindsOf(same)).toEqual(kindsOf(read));
  });
});

describe('observations that were exported to storage', () => {
  const read = readLines(langfuseAdapter, lines);

  it('are one session of several traces, with tools that failed', () => {
    expectWellFormed(read);
    expect(sessionsOf(read)).toEqual(['talk-1']);
    expect(kindsOf(read)).toEqual(['user', 'reply', 'call', 'result', 'user', 'reply', 'end']);
    expect(ofKind(read, 'result')).toMatchObject([{ ok: false, text: 'no berth is free' }]);
    expect(ofKind(read, 'user').map(({ text }) => text)).toEqual([
      'Book a berth for two nights.',
      'No, three nights.',
    ]);
    expect(ofKind(read, 'end')).toMatchObject([{ reason: 'error' }]);
  });

  it('have no cost or count that is no number', () => {
    const broken = lines.map((line) => ({
      ...line,
      total_cost: 'NaN',
      cost_details: { total: -1 },
      usage_details: { input: 'Infinity', output: null, __proto__: { input: 5 } },
    }));
    for (const { usage, costUsd } of ofKind(readLines(langfuseAdapter, broken), 'reply'))
      expect([usage, costUsd]).toEqual([undefined, undefined]);
  });
});

describe('what is not read', () => {
  it('is named with what to export instead', () => {
    const { observations: _, ...alone } = trace;
    const list = folder.write('traces.json', JSON.stringify({ data: [alone], meta: {} }));
    expect(looksLike(list)).toContain('without their observations');
    const table = folder.write('observations.csv', 'id,traceId,startTime\n1,2,3\n');
    expect(looksLike(table)).toContain('export the observations as JSON or JSON lines instead');
  });
});

describe('scores of Langfuse', () => {
  const report = (value: unknown) => readReport(folder.write('scores.json', JSON.stringify(value)));
  const score = trace.scores[0];

  it('are labels where a person gave them', async () => {
    expect(await report(trace)).toEqual({
      harness: 'Langfuse',
      labels: [{ outcome: 1, of: { session: NAME } }],
    });
    const listed = { data: [{ ...score, trace: { sessionId: 'talk-1' } }], meta: {} };
    expect((await report(listed)).labels).toEqual([{ outcome: 1, of: { session: 'talk-1' } }]);
  });

  it('are refused on another scale, by programs alone, or by several names', async () => {
    await expect(report([{ ...score, dataType: 'NUMERIC', value: 4 }])).rejects.toThrow('none from 0 to 1');
    await expect(report([{ ...score, source: 'EVAL' }])).rejects.toThrow('scores of programs only');
    await expect(report([score, { ...score, name: 'polite' }])).rejects.toThrow(
      'of 2 names: correct, polite',
    );
  });
});
