import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { geminiAdapter } from './gemini.ts';
import { changes, mutated } from './testing/mutate.ts';
import { expectWellFormed, ofKind, readDocument, readLines } from './testing/read-events.ts';

const textOf = (name: string) => readFileSync(`test/fixtures/session/${name}`, 'utf8').trim();
const lines = textOf('gemini-lines/session.jsonl')
  .split('\n')
  .map((line): unknown => JSON.parse(line));
const document: unknown = JSON.parse(textOf('gemini-document/session.json'));

describe('a Gemini session of lines', () => {
  const read = readLines(geminiAdapter, lines);

  it('says which project it is about', () => {
    expect(ofKind(read, 'session')[0]).toMatchObject({ project: 'ab12' });
  });

  it('is named by its header', () => {
    expect(ofKind(read, 'session')).toMatchObject([{ sessionId: 'gm-1', agent: 'gemini-cli' }]);
    expect(read.unknown).toEqual(['telepathy']);
    expectWellFormed(read);
  });

  it('tells the text of a message once, although it is written again as it grows', () => {
    expect(ofKind(read, 'reply').map(({ messageId, text }) => [messageId, text])).toEqual([
      ['gm-1 gm-reply-1', 'I build'],
      ['gm-1 gm-reply-1', ' it now.'],
      ['gm-1 gm-reply-2', 'Done.'],
    ]);
    expect(ofKind(read, 'user').map(({ text }) => text)).toEqual(['Build it', 'Use ninja', 'Use bazel']);
  });

  it('counts thoughts as output, the prompt of tools as input, and cached input apart', () => {
    // 1000 − 900 + 5 and 20 + 30.
    expect(ofKind(read, 'reply')[1]?.usage).toEqual({
      input: 105,
      output: 50,
      cacheRead: 900,
      cacheWrite: 0,
    });
  });

  it('counts a call once, with its end, and sees a failed command behind a successful tool', () => {
    expect(ofKind(read, 'call').map(({ callId }) => callId)).toEqual([
      'gm-call-1',
      'gm-call-2',
      'gm-call-3',
      'gm-call-4',
    ]);
    const results = ofKind(read, 'result').map(({ callId, ok, running, denied }) => [
      callId,
      running ? 'running' : denied ? 'denied' : ok,
    ]);
    expect(results).toEqual([
      ['gm-call-1', 'running'],
      ['gm-call-1', false],
      // The words are in a file that was read, not in the answer of a shell.
      ['gm-call-2', true],
      ['gm-call-3', 'denied'],
      ['gm-call-4', false],
    ]);
  });

  it('knows cancelled requests, compressions and errors', () => {
    expect(ofKind(read, 'interrupt')).toHaveLength(1);
    expect(ofKind(read, 'compaction')).toHaveLength(1);
    expect(ofKind(read, 'end').map(({ reason }) => reason)).toEqual(['error']);
  });

  it('names the message that a rewind takes back, and gives messages an identity', () => {
    expect(lines.flatMap((line) => geminiAdapter.rewindTo?.(line) ?? [])).toEqual(['gm-user-2']);
    expect(geminiAdapter.entryKey?.(lines[1])).toBe('gm-user-1');
    expect(geminiAdapter.entryKey?.(lines[0])).toBeUndefined();
  });

  it('may carry all messages again in an update', () => {
    const again = readLines(geminiAdapter, [
      ...lines.slice(0, 5),
      { $set: { messages: [lines[1], lines[4]] } },
    ]);
    expect(ofKind(again, 'user')).toHaveLength(1);
    expect(ofKind(again, 'call')).toHaveLength(4);
    expect(ofKind(again, 'reply').at(-1)).toMatchObject({ text: '', usage: { input: 105 } });
  });
});

describe('a Gemini session of one document', () => {
  const read = readDocument(geminiAdapter, document, '/h/.gemini/tmp/ab12/chats/parent-7/gm-doc.json');

  it('is read message by message, and is the child of the session whose folder it is in', () => {
    expect(ofKind(read, 'session')).toMatchObject([
      { sessionId: 'gm-doc', parentSessionId: 'parent-7', trigger: 'subagent' },
    ]);
    expect(ofKind(read, 'user')).toMatchObject([{ origin: 'subagent', text: 'Look around' }]);
    expect(read.unknown).toEqual([]);
  });

  it('never has less than no input, even if more is cached than there was', () => {
    expect(ofKind(read, 'reply')[0]?.usage).toEqual({ input: 0, output: 4, cacheRead: 10, cacheWrite: 0 });
  });

  it('is told by its fields', () => {
    expect(geminiAdapter.detect({ records: [document], document: true, path: 'x' })).toBe(true);
    expect(geminiAdapter.detect({ records: lines, document: false, path: 'x' })).toBe(true);
    expect(geminiAdapter.detect({ records: [{ messages: [] }, 3, null], document: true, path: 'x' })).toBe(
      false,
    );
  });
});

describe('whatever a Gemini file contains', () => {
  it('reading lines never throws, and their events are sound', () => {
    fc.assert(
      fc.property(changes, (todo) => {
        const damaged = mutated(lines, todo);
        const list = Array.isArray(damaged) ? damaged : [damaged];
        expectWellFormed(readLines(geminiAdapter, list));
        for (const record of list) {
          geminiAdapter.entryKey?.(record);
          geminiAdapter.rewindTo?.(record);
        }
        geminiAdapter.detect({ records: list, document: false, path: '' });
      }),
      { numRuns: 2000 },
    );
  });

  it('reading a document never throws, and its events are sound', () => {
    fc.assert(
      fc.property(changes, (todo) => {
        const damaged = mutated(document, todo);
        expectWellFormed(readDocument(geminiAdapter, damaged));
        geminiAdapter.detect({ records: [damaged], document: true, path: '' });
      }),
      { numRuns: 2000 },
    );
  });
});
