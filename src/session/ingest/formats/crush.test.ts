import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { readAll } from '../read-all.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { formatNamed } from './formats.ts';

const crush = formatNamed('crush');

const folder = tempFolder();
const part = (type: string, data: object) => ({ type, data });
const result = (id: string, content: string, isError = false) =>
  part('tool_result', { tool_call_id: id, name: 'bash', content, is_error: isError });
const call = (id: string, name: string, input: object) =>
  part('tool_call', { id, name, input: JSON.stringify(input), finished: true });

const MESSAGES: readonly (readonly [session: string, role: string, parts: object[], summary: number])[] = [
  ['s1', 'user', [part('text', { text: 'Fix the tests.' })], 0],
  [
    's1',
    'assistant',
    [
      part('reasoning', { thinking: 'Hm' }),
      part('text', { text: 'Running.' }),
      call('c1', 'bash', { command: 'pytest' }),
      call('c2', 'bash', { command: 'rm -r x' }),
      call('c3', 'agent', { prompt: 'Look' }),
      part('finish', { reason: 'tool_use', time: 1775000002 }),
    ],
    0,
  ],
  ['s1', 'tool', [result('c1', '1 failed\nExit code 1'), result('c2', 'User denied permission', true)], 0],
  [
    's1',
    'tool',
    [part('tool_result', { tool_call_id: 'c3', name: 'agent', content: 'ok', is_error: false })],
    0,
  ],
  ['s1', 'assistant', [part('text', { text: 'A summary.' })], 1],
  ['s1', 'assistant', [part('text', { text: 'One' }), part('finish', { reason: 'canceled', time: 1 })], 0],
  ['m2$$c3', 'user', [part('text', { text: 'Look' })], 0],
  ['m2$$c3', 'assistant', [part('text', { text: 'Nothing.' }), part('finish', { reason: 'end_turn' })], 0],
  ['title-s1', 'user', [part('text', { text: 'Name it' })], 0],
];

function makeStore(): string {
  const path = join(folder.path, '.crush-crush.db');
  const store = new DatabaseSync(path);
  store.exec(`CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT, prompt_tokens INTEGER,
      completion_tokens INTEGER, cost REAL);
    CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT, model TEXT, provider TEXT,
      is_summary_message INTEGER, created_at INTEGER);
    INSERT INTO sessions VALUES ('s1', NULL, 'Tests', 9000, 100, 0.5), ('m2$$c3', 's1', 'Look', 10, 1, 0.1),
      ('title-s1', 's1', 'Title', 1, 1, 0);`);
  const put = store.prepare(
    "INSERT INTO messages VALUES (?, ?, ?, ?, 'claude-sonnet-4-5', 'anthropic', ?, ?)",
  );
  MESSAGES.forEach(([session, role, parts, summary], index) => {
    put.run(`m${index + 1}`, session, role, JSON.stringify(parts), summary, 1775000000 + index);
  });
  store.close();
  return path;
}

describe('Crush', () => {
  it('keeps sessions with sub-agents, costs counted once and tokens that are not known', async () => {
    const { sessions, readings } = await readAll([makeStore()]);
    expect(
      sessions.map(({ facts }) => [facts.sessionId, facts.parentSessionId, facts.declaredCostUsd]),
    ).toEqual([
      ['s1', undefined, 0.5],
      ['m2$$c3', 's1', undefined],
    ]);
    const [run] = sessions[0]?.facts.runs ?? [];
    expect(run).toMatchObject({
      startedAt: 1775000000000,
      compactions: 1,
      interrupts: 1,
      spawned: 1,
      spawnsCompleted: 1,
      tools: { calls: 3, failed: 0, denied: 1, succeeded: 2 },
    });
    expect(run?.models).toMatchObject([{ model: 'claude-sonnet-4-5', messagesWithoutUsage: 2 }]);
    expect(readings[0]?.unknownRecords).toEqual({});
  });

  it('is found in the projects of its own list', () => {
    folder.write(
      'global/projects.json',
      JSON.stringify({
        projects: [{ path: '/work/a', data_dir: '/work/a/.crush' }, { data_dir: './b' }, 7],
      }),
    );
    const env = { CRUSH_GLOBAL_DATA: join(folder.path, 'global') };
    expect(crush.places?.('/home/me', env).map(({ place }) => place)).toEqual([
      join(folder.path, 'global'),
      '/work/a/.crush',
    ]);
    expect(crush.places?.('/home/me', {}).map(({ place }) => place)).toEqual(['/home/me/.local/share/crush']);
  });
});
