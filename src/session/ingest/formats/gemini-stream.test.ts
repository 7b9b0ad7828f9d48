import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFile } from '../reading/read-file.ts';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { geminiStreamAdapter } from './gemini-stream.ts';
import { ofKind, readDocument, readLines } from './testing/read-events.ts';

const PATH = 'test/fixtures/session/gemini-stream/run.jsonl';
const records = readFileSync(PATH, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as object);

describe('print mode of the Gemini CLI', () => {
  const read = readLines(geminiStreamAdapter, records);

  it('tells a failed command from its text, and nothing from a success without output', () => {
    expect(ofKind(read, 'result').map(({ callId, ok }) => [callId, ok])).toEqual([
      ['c1', false],
      ['c2', false],
      ['c3', undefined],
    ]);
    expect(read.unknown).toEqual([]);
  });

  it('joins the pieces of a message and counts the tokens of the run by model, thoughts as output', async () => {
    const { sessions } = await readFile(PATH);
    expect(sessions[0]?.runs[0]).toMatchObject({ turns: 1, end: 'normal', finalReply: 'text' });
    expect(sessions[0]?.runs[0]?.models.map(({ model, messages }) => [model, messages])).toEqual([
      ['gemini-2.5-pro', 2],
      ['gemini-2.5-flash', 1],
    ]);
    expect(usageOfSession(sessions[0])).toEqual({ input: 2500, output: 500, cacheRead: 6000, cacheWrite: 0 });
  });

  it('reads the one object of json output', () => {
    const answer = {
      session_id: 'g2',
      response: 'Done.',
      stats: {
        models: {
          'gemini-2.5-pro': {
            tokens: { prompt: 100, candidates: 10, total: 115, cached: 60, thoughts: 5, tool: 0 },
          },
        },
      },
    };
    const { events } = readDocument(geminiStreamAdapter, answer);
    expect(events).toMatchObject([
      { kind: 'session', sessionId: 'g2' },
      { kind: 'reply', messageId: 'message 1', text: 'Done.', model: 'gemini-2.5-pro' },
      { kind: 'reply', messageId: 'message 1', usage: { input: 40, output: 15, cacheRead: 60 } },
      { kind: 'end', reason: 'normal' },
    ]);
  });

  it('ends as its result says', () => {
    const end = (error: object) => {
      const { events } = readLines(geminiStreamAdapter, [
        { type: 'result', status: 'error', error, stats: {} },
      ]);
      return events.map((event) => (event.kind === 'end' ? event.reason : event.kind));
    };
    expect(end({ type: 'FatalTurnLimitedError' })).toEqual(['limit']);
    expect(end({ type: 'FatalCancellationError' })).toEqual(['interrupt']);
    expect(end({ type: 'FatalToolExecutionError' })).toEqual(['error']);
  });
});
