import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAll } from '../read-all.ts';
import { readFile } from '../reading/read-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { rawLogs } from './otlp/log-record.ts';
import { CONVENTIONS, documentOf, talkIn } from './otlp/testing/talk.ts';
import { otlpLogsAdapter } from './otlp-logs.ts';
import { ofKind, readDocument, readLines } from './testing/read-events.ts';

const FOLDER = 'test/fixtures/session/otlp-logs';

function linesOf(name: string): object[] {
  const lines = readFileSync(`${FOLDER}/${name}`, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as object);
}

describe('what Claude Code logs of itself', () => {
  const read = readLines(otlpLogsAdapter, linesOf('claude-code.jsonl'));

  it('is a session with its calls, the one that failed and the one that a person refused', () => {
    expect(ofKind(read, 'session')).toMatchObject([{ sessionId: 'cc-log-1', agent: 'claude-code' }]);
    expect(ofKind(read, 'call').map(({ tool }) => tool)).toEqual(['Bash', 'Bash', 'Agent']);
    expect(ofKind(read, 'result').map(({ ok, denied }) => [ok, denied])).toEqual([
      [false, undefined],
      [undefined, true],
      [true, undefined],
    ]);
    expect(ofKind(read, 'compaction')).toHaveLength(1);
    expect(ofKind(read, 'spawn')).toMatchObject([{ spawnId: 'toolu_3', ok: true }]);
    expect(read.unknown).toEqual([]);
  });

  it('has the tokens and the cost of each request, cached ones beside the input', async () => {
    const { sessions } = await readFile(`${FOLDER}/claude-code.jsonl`);
    expect(sessions).toHaveLength(1);
    expect(usageOfSession(sessions[0])).toEqual({
      input: 25,
      output: 400,
      cacheRead: 28300,
      cacheWrite: 800,
    });
    expect(sessions[0]?.runs[0]).toMatchObject({ turns: 1, end: 'normal', finalReply: 'text' });
  });

  it('is not broken by a request that got through at the next attempt', () => {
    expect(ofKind(read, 'reply').filter(({ stop }) => stop === 'error')).toEqual([]);
  });
});

describe('what Codex logs of itself', () => {
  const read = readLines(otlpLogsAdapter, linesOf('../otlp-codex/logs.jsonl'));

  it('tells a failed command from the output of a tool that succeeded, and a refusal once', () => {
    expect(ofKind(read, 'result').map(({ callId, ok, denied }) => [callId, ok, denied])).toEqual([
      ['call_1', false, undefined],
      ['call_2', undefined, true],
      ['call_3', true, undefined],
    ]);
  });

  it('counts cached tokens within the input, and ends with the request that never got through', async () => {
    const { sessions } = await readFile(`${FOLDER}/../otlp-codex/logs.jsonl`);
    expect(usageOfSession(sessions[0])).toEqual({ input: 400, output: 80, cacheRead: 600, cacheWrite: 0 });
    expect(sessions[0]?.runs[0]?.end).toBe('error');
    expect(sessions[0]?.runs[0]?.startedAt).toBe(1_790_000_004_000);
  });
});

describe('what Gemini CLI logs of itself', () => {
  const document: unknown = JSON.parse(readFileSync(`${FOLDER}/gemini-cli.json`, 'utf8'));
  const read = readDocument(otlpLogsAdapter, document);

  it('has failures, refusals, compression and agents', () => {
    expect(ofKind(read, 'result').map(({ ok, denied }) => [ok, denied])).toEqual([
      [false, undefined],
      [undefined, true],
    ]);
    expect(ofKind(read, 'compaction')).toHaveLength(1);
    expect(ofKind(read, 'spawn').at(-1)).toMatchObject({ spawnId: 'ag-1', ok: true });
  });

  it('ends in an error where no request got through any more', () => {
    expect(ofKind(read, 'end')).toMatchObject([{ reason: 'error', session: 'gm-log-2' }]);
  });

  it('counts thoughts as output', async () => {
    const { sessions } = await readFile(`${FOLDER}/gemini-cli.json`);
    expect(usageOfSession(sessions[0])).toEqual({ input: 1010, output: 100, cacheRead: 3100, cacheWrite: 0 });
  });
});

describe('logs of agents among others', () => {
  const { write } = tempFolder();
  const lines = (some: readonly object[]) => some.map((one) => `${JSON.stringify(one)}\n`).join('');

  it('are one session though their batches are in several files, some of them twice', async () => {
    const all = linesOf('claude-code.jsonl').flatMap((one) => groupsOf(one));
    const half = Math.ceil(all.length / 2);
    const files = [write('b.jsonl', lines(all.slice(0, half + 1))), write('a.jsonl', lines(all.slice(half)))];
    const { sessions } = await readAll(files);
    const { sessions: whole } = await readAll([`${FOLDER}/claude-code.jsonl`]);
    expect(sessions).toHaveLength(1);
    const [joined, one] = [sessions[0]?.facts, whole[0]?.facts];
    expect(usageOfSession(joined)).toEqual(usageOfSession(one));
    expect(joined?.runs.map(({ turns, tools, end }) => [turns, tools.calls, tools.failed, end])).toEqual(
      one?.runs.map(({ turns, tools, end }) => [turns, tools.calls, tools.failed, end]),
    );
  });

  it.each(['first', 'last'])(
    'leave the spans of other programs in their file to be read, %s',
    async (place) => {
      const [convention] = Object.values(CONVENTIONS);
      const spans = documentOf(convention === undefined ? [] : talkIn(convention));
      const logs = linesOf('claude-code.jsonl');
      const many = Array.from({ length: 30 }, () => spans);
      const path = write('mixed.jsonl', lines(place === 'first' ? [...logs, spans] : [...many, ...logs]));
      const { sessions } = await readAll([path]);
      expect(sessions.map(({ facts }) => [facts.source, facts.sessionId]).sort()).toEqual([
        ['otlp', 'talk'],
        ['otlp-logs', 'cc-log-1'],
      ]);
    },
  );
});

/** Each log record in a document of its own. */
function groupsOf(document: object): object[] {
  return (rawLogs(document) ?? []).map(({ log, resource }) => ({
    resourceLogs: [{ resource: { attributes: resource }, scopeLogs: [{ logRecords: [log] }] }],
  }));
}
