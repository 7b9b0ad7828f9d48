import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../reading/read-file.ts';
import { usageOfSession } from '../../testing/usage-of-session.ts';
import { ofKind, readDocument, readLines } from '../testing/read-events.ts';
import { otlpLogsAdapter } from './adapter.ts';

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
