import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { regexWork } from '../../../testing/regex-work.ts';
import { readAll } from '../read-all.ts';
import { usageOfSession } from '../testing/usage-of-session.ts';
import { cursorAdapter, typedText } from './cursor.ts';
import { formatNamed } from './formats.ts';
import { ofKind, readLines } from './testing/read-events.ts';

const cursor = formatNamed('cursor');

const SESSION = 'c3000000-0000-4000-8000-000000000001';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-cursor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tool = (name: string, more: object) => ({
  type: 2,
  text: '',
  createdAt: '2026-01-01T00:00:02.000Z',
  toolFormerData: { name, toolCallId: `call-${name}`, params: '{"command":"pytest"}', ...more },
});

const BUBBLES: readonly object[] = [
  { type: 1, bubbleId: 'b0', text: 'Fix the tests.', createdAt: '2026-01-01T00:00:00.000Z' },
  {
    type: 2,
    bubbleId: 'b1',
    text: '',
    thinking: { text: 'Hm.' },
    tokenCount: { inputTokens: 0, outputTokens: 0 },
  },
  {
    type: 2,
    bubbleId: 'b2',
    text: 'I will run them.',
    createdAt: '2026-01-01T00:00:01.000Z',
    modelInfo: { modelName: 'claude-4.5-sonnet' },
    tokenCount: { inputTokens: 1200, outputTokens: 80 },
  },
  tool('run_terminal_cmd_v2', { status: 'completed', result: '{"output":"1 failed","exitCode":1}' }),
  tool('edit_file', { status: 'completed', userDecision: 'rejected' }),
  tool('read_file', { status: 'error', error: '{"clientVisibleErrorMessage":"no such file"}' }),
  tool('grep', { status: 'completed', result: '{"matches":1}' }),
  tool('codebase_search', { status: 'cancelled' }),
  { type: 2, bubbleId: 'b9', text: 'One test fails.', tokenCount: { inputTokens: 0, outputTokens: 0 } },
];

function editorStore(): string {
  const path = join(folder, 'state.vscdb');
  const store = new DatabaseSync(path);
  store.exec('CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)');
  const put = (key: string, value: object): void => {
    store.prepare('INSERT INTO cursorDiskKV VALUES (?, ?)').run(key, JSON.stringify(value));
  };
  put(`composerData:${SESSION}`, {
    composerId: SESSION,
    createdAt: 1767225600000,
    status: 'completed',
    modelConfig: { modelName: 'default' },
    usageData: { 'claude-4.5-sonnet': { costInCents: 12, amount: 3 } },
    subComposerIds: ['child'],
    fullConversationHeadersOnly: BUBBLES.map((_, index) => ({ bubbleId: String(index), type: 2 })),
  });
  for (const [index, bubble] of BUBBLES.entries()) put(`bubbleId:${SESSION}:${index}`, bubble);
  put('composerData:child', {
    status: 'aborted',
    conversation: [
      { type: 1, bubbleId: 'k0', text: 'Look.' },
      { type: 2, bubbleId: 'k1', text: 'Nothing.' },
    ],
  });
  put('composerDataX:other', {});
  store.close();
  return path;
}

function chatStore(): string {
  const path = join(folder, 'store.db');
  const store = new DatabaseSync(path);
  store.exec(
    'CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)',
  );
  const about = {
    agentId: SESSION,
    name: 'Tests',
    createdAt: 1767225600000,
    lastUsedModel: 'claude-4-sonnet',
  };
  store
    .prepare('INSERT INTO meta VALUES (?, ?)')
    .run('0', Buffer.from(JSON.stringify(about)).toString('hex'));
  const messages = [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: '<user_info>\nOS: linux\n</user_info>' },
    { role: 'user', content: [{ type: 'text', text: '<user_query>\nFix the tests.\n</user_query>' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'I will run them.' },
        { type: 'tool-call', toolCallId: 't1', toolName: 'Shell', args: { command: 'pytest' } },
        { type: 'tool-call', toolCallId: 't2', toolName: 'Read', args: { path: 'x' } },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 't1', toolName: 'Shell', result: 'Exit code: 1' }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 't2', result: 'no such file', isError: true }],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'One test fails.' }] },
  ];
  messages.forEach((message, index) => {
    const data = Buffer.from(JSON.stringify(message));
    store.prepare('INSERT INTO blobs VALUES (?, ?)').run(String(index), data);
    store.prepare('INSERT INTO blobs VALUES (?, ?)').run(`graph-${index}`, Buffer.from([10, 1, 123]));
  });
  store.close();
  return path;
}

describe('the editor of Cursor', () => {
  it('has sessions with their models, tokens, cost, ends and sub-agents', async () => {
    const { sessions, readings } = await readAll([editorStore()]);
    expect(sessions.map(({ facts }) => [facts.sessionId, facts.parentSessionId])).toEqual([
      [SESSION, undefined],
      ['child', SESSION],
    ]);
    const facts = sessions[0]?.facts;
    expect(usageOfSession(facts)).toEqual({ input: 1200, output: 80, cacheRead: 0, cacheWrite: 0 });
    expect(facts?.declaredCostUsd).toBe(0.12);
    expect(facts?.runs[0]).toMatchObject({ turns: 1, end: 'normal', finalReply: 'text' });
    expect(facts?.runs[0]?.models.map(({ model }) => model)).toEqual(['claude-4.5-sonnet', 'unknown']);
    expect(sessions[1]?.facts.runs[0]?.interrupts).toBe(1);
    expect(readings[0]?.unknownRecords).toEqual({});
  });

  it('tells a failed command from its exit code, and refusals, failures and stops apart', () => {
    const read = readLines(cursorAdapter, [
      { composer: { composerId: 's' } },
      ...BUBBLES.map((bubble) => ({ bubble })),
    ]);
    expect(ofKind(read, 'result').map(({ callId, ok, denied }) => [callId, denied ? 'denied' : ok])).toEqual([
      ['call-run_terminal_cmd_v2', false],
      ['call-edit_file', 'denied'],
      ['call-read_file', false],
      ['call-grep', true],
      ['call-codebase_search', 'denied'],
    ]);
    expect(ofKind(read, 'call')[0]?.tool).toBe('run_terminal_cmd');
    expect(readLines(cursorAdapter, [{ bubble: { type: 3 } }, {}]).unknown).toEqual([
      'bubble 3',
      '(no type)',
    ]);
  });
});

describe('the CLI of Cursor', () => {
  it('keeps a session without tokens', async () => {
    const { sessions } = await readAll([chatStore()]);
    expect(sessions).toHaveLength(1);
    const [run] = sessions[0]?.facts.runs ?? [];
    expect(sessions[0]?.facts.sessionId).toBe(SESSION);
    expect(run).toMatchObject({ turns: 1, replies: 2, end: 'normal', tools: { calls: 2, failed: 1 } });
    expect(run?.models).toMatchObject([{ model: 'claude-4-sonnet', messagesWithoutUsage: 2 }]);
  });

  it('counts once beside the transcript of the same session, which has less', async () => {
    const transcript = join(folder, `${SESSION}.jsonl`);
    const said = { role: 'user', message: { content: [{ type: 'text', text: 'Fix the tests.' }] } };
    writeFileSync(transcript, `${JSON.stringify(said)}\n`);
    const { sessions } = await readAll([chatStore(), transcript]);
    expect(sessions.map(({ facts }) => facts.source)).toEqual(['cursor']);
  });
});

describe('places of Cursor', () => {
  it('are its folder of chats and the one of the editor', () => {
    const [chats, editor] = cursor.places?.('/home/me', { XDG_CONFIG_HOME: '/c', APPDATA: '/c' }) ?? [];
    expect(chats?.place).toBe('/home/me/.cursor/chats');
    expect(editor?.place).toMatch(/Cursor[\\/]User[\\/]globalStorage$/);
    expect(cursor.includes?.('/c/Cursor/User/globalStorage/state.vscdb')).toBe(true);
  });

  it('hold other databases that are none of its own', async () => {
    const path = join(folder, 'other.db');
    const store = new DatabaseSync(path);
    store.exec('CREATE TABLE blobs (id TEXT)');
    store.close();
    expect((await readAll([path])).sessions).toEqual([]);
  });
});

describe('what a person typed', () => {
  it('is what stands in the tag of the query, or all where the program adds nothing', () => {
    expect(typedText('<info>1</info>\n<user_query>\n Fix it.\n</user_query>')).toEqual({
      text: 'Fix it.',
      origin: 'user',
    });
    expect(typedText('Fix it.')).toEqual({ text: 'Fix it.', origin: 'user' });
    expect(typedText('<info>1</info>').origin).toBe('runtime');
  });

  it('takes few steps for a query that is not closed', () => {
    for (const unit of [' ', '\n', '<user_query>', '</user_query', 'a', '<'])
      for (const start of ['', '<user_query>']) {
        const text = start + unit.repeat(20_000 / unit.length);
        expect(regexWork(() => void typedText(text)).slow).toEqual([]);
      }
  });
});
