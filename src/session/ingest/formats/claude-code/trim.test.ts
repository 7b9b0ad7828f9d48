import { describe, expect, it } from 'vitest';
import { skipsAtOnce, trimClaudeCodeLine } from './trim.ts';

const head = { parentUuid: 'p', isSidechain: false, sessionId: 's' };
const tail = { uuid: 'u', timestamp: '2026-01-01T00:00:00.000Z' };
const long = 'text with "quotes" and {"type":"progress"} and ,"toolUseResult":{"filePath":"x" '.repeat(20);
const user = (toolUseResult: unknown, after: object = {}) => ({
  ...head,
  type: 'user',
  message: { role: 'user', content: [{ tool_use_id: 't', type: 'tool_result', content: long }] },
  ...tail,
  toolUseResult,
  ...after,
});
const bytes = (...records: unknown[]) => Buffer.from(records.map((one) => JSON.stringify(one)).join(''));
const trimmed = (record: unknown) => {
  const line = trimClaudeCodeLine(bytes(record));
  return line === undefined ? undefined : JSON.parse(line.toString());
};

describe('shortening a line of Claude Code', () => {
  it.each([
    ['a file that was read', { type: 'text', file: { content: long } }],
    ['a file that was written', { type: 'create', filePath: '/a', content: long }],
    ['an edit that changed nothing', { filePath: '/a', oldString: long, structuredPatch: [] }],
    ['a search', { mode: 'content', content: long, numFiles: 3 }],
  ])('leaves out %s', (_, result) => {
    expect(trimmed(user(result))).toEqual(user({}));
    const source = { sourceToolAssistantUUID: 'a' };
    expect(trimmed(user(result, source))).toEqual(user({}, source));
  });

  it.each([
    [
      'an edit',
      { filePath: '/a "b"', oldString: long, originalFile: long, structuredPatch: [{ lines: [long] }] },
    ],
    [
      'a file that was written over',
      {
        type: 'update',
        filePath: '/a',
        content: long,
        structuredPatch: [{ lines: ['+b'] }],
        originalFile: long,
      },
    ],
  ])('keeps which lines changed of %s', (_, result) => {
    const { filePath, structuredPatch } = result;
    const source = { sourceToolAssistantUUID: 'a' };
    for (const after of [{}, source]) {
      const { toolUseResult, ...rest } = trimmed(user(result, after));
      expect(toolUseResult).toMatchObject({ filePath, structuredPatch });
      expect(Object.keys(toolUseResult)).not.toContain('originalFile');
      expect(rest).toEqual({ ...user({}, after), toolUseResult: undefined });
    }
  });

  it('keeps how a command ended', () => {
    const result = { stdout: long, stderr: long, interrupted: true, isImage: false, backgroundTaskId: 'b' };
    const { stdout: _, stderr: __, ...ended } = result;
    expect(trimmed(user(result, { sourceToolAssistantUUID: 'a' }))).toMatchObject({ toolUseResult: ended });
  });

  it.each([
    ['of a sub-agent', user({ status: 'completed', agentId: 'a', content: long })],
    ['that is short', user({ filePath: '/a' })],
    ['that is text', user(`Error: ${long}`)],
    ['with keys behind it that nobody knows', user({ filePath: '/a', content: long }, { news: 1 })],
    ['of another type', { ...user({ filePath: '/a', content: long }), type: 'assistant' }],
  ])('does not touch a result %s', (_, record) => {
    expect(trimmed(record)).toBeUndefined();
  });

  it('does not touch a line with a second record on it', () => {
    const record = user({ filePath: '/a', content: long });
    expect(trimClaudeCodeLine(bytes(record, record))).toBeUndefined();
  });
});

describe('passing over a line of Claude Code', () => {
  const progress = { ...head, type: 'progress', data: { type: 'bash_progress', output: long }, ...tail };
  const snapshot = { type: 'file-history-snapshot', messageId: 'm', snapshot: { trackedFileBackups: {} } };

  it('is right for progress and snapshots', () => {
    expect([progress, snapshot].map((one) => skipsAtOnce(bytes(one)))).toEqual([true, true]);
  });

  it.each([
    ['a record that only talks about progress', bytes(user({ type: 'progress' }))],
    ['a record with progress inside', bytes({ message: { type: 'progress' }, ...head, type: 'user' })],
    ['a whole record behind it', bytes(progress, user({}))],
    ['a whole record behind a torn one', Buffer.concat([bytes(progress).subarray(0, 120), bytes(user({}))])],
    ['an end that is missing', bytes(progress).subarray(0, -1)],
    ['other types that begin alike', bytes({ type: 'pr-link', prNumber: 1 })],
  ])('is wrong for %s', (_, line) => {
    expect(skipsAtOnce(line)).toBe(false);
  });
});
