import { describe, expect, it } from 'vitest';
import { ofKind, readLines } from '../testing/read-events.ts';
import { claudeCodeAdapter } from './adapter.ts';

const at = (second: number) => `2026-05-04T09:00:0${second}.000Z`;
const prompt = (
  uuid: string,
  sessionId: string,
  content: string,
  parentUuid: string | null,
  second: number,
) => ({
  type: 'user',
  uuid,
  parentUuid,
  sessionId,
  timestamp: at(second),
  message: { role: 'user', content },
});
const answer = (uuid: string, sessionId: string, parentUuid: string, second: number) => ({
  type: 'assistant',
  uuid,
  parentUuid,
  sessionId,
  timestamp: at(second),
  requestId: `r-${uuid}`,
  message: {
    id: `m-${uuid}`,
    model: 'claude-sonnet-4-6',
    role: 'assistant',
    content: [{ type: 'text', text: 'Yes.' }],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
});

const sessionsOf = (records: readonly unknown[], path?: string) =>
  ofKind(readLines(claudeCodeAdapter, records, path), 'user').map((event) => [
    (event as { session?: string }).session,
    event.text,
    event.line,
  ]);

describe('a prompt under another session id than its answer', () => {
  it('belongs to its answer', () => {
    const records = [
      prompt('p1', 'one', 'First?', null, 0),
      answer('a1', 'one', 'p1', 1),
      prompt('p2', 'one', 'Second?', 'a1', 2),
      answer('a2', 'two', 'p2', 3),
    ];
    expect(sessionsOf(records)).toEqual([
      ['one', 'First?', 1],
      ['two', 'Second?', 3],
    ]);
  });

  it('is where it says when something else follows, or nothing yet', () => {
    const records = [
      prompt('p1', 'one', 'First?', null, 0),
      answer('a9', 'two', 'p9', 1),
      prompt('p2', 'two', 'Well?', null, 2),
    ];
    expect(sessionsOf(records)).toEqual([
      ['one', 'First?', 1],
      ['two', 'Well?', 3],
    ]);
  });

  it('is of the session that the file is named after', () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const records = [prompt('p1', 'other', 'First?', null, 0), answer('a1', id, 'p1', 1)];
    expect(sessionsOf(records, `${id}.jsonl`)).toEqual([[id, 'First?', 1]]);
  });
});
