import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { readAll } from '../read-all.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { formatNamed } from './formats.ts';
import { gooseAdapter } from './goose.ts';
import { ofKind, readDocument, readLines } from './testing/read-events.ts';

const goose = formatNamed('goose');

const ID = '20260401_101500';
const PATH = `test/fixtures/session/goose/sessions/${ID}.jsonl`;
type Message = { role: string; created: number; content: object[]; metadata: object };
const [header, ...messages] = readFileSync(PATH, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Message & Record<string, string | number>);
const folder = tempFolder();

function makeStore(path: string): string {
  const store = new DatabaseSync(path);
  store.exec(`CREATE TABLE sessions (id TEXT PRIMARY KEY, session_type TEXT, working_dir TEXT, total_tokens INTEGER,
      accumulated_input_tokens INTEGER, accumulated_output_tokens INTEGER, provider_name TEXT, model_config_json TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content_json TEXT,
      created_timestamp INTEGER, metadata_json TEXT);`);
  const add = store.prepare('INSERT INTO sessions VALUES (?, ?, ?, 3100, ?, ?, ?, ?)');
  add.run(ID, 'user', '/work/calc', 9000, 400, 'anthropic', '{"model_name":"claude-sonnet-4-5"}');
  add.run('child', 'sub_agent', '/work/calc', null, null, null, null);
  const put = store.prepare(
    'INSERT INTO messages (session_id, role, content_json, created_timestamp, metadata_json) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { role, content, created, metadata } of messages)
    put.run(ID, role, JSON.stringify(content), created, JSON.stringify(metadata));
  put.run('child', 'user', '[{"type":"text","text":"Look."}]', 1775000009, null);
  put.run('child', 'user', '{', 1775000010, null);
  store.close();
  return path;
}

describe('Goose', () => {
  const read = readLines(gooseAdapter, [header, ...messages], PATH);

  it('tells failures, refusals and calls that could not be made', () => {
    expect(ofKind(read, 'call').map(({ callId, tool }) => [callId, tool])).toEqual([
      ['t1', 'developer__shell'],
      ['t2', 'developer__text_editor'],
      ['t3', 'unknown'],
    ]);
    expect(ofKind(read, 'result').map(({ callId, ok, denied }) => [callId, denied ? 'denied' : ok])).toEqual([
      ['t1', false],
      ['t3', false],
      ['t2', 'denied'],
    ]);
    expect(read.unknown).toEqual([]);
  });

  it('counts one compaction, and nothing of it as said', () => {
    expect(ofKind(read, 'compaction')).toHaveLength(1);
    expect(ofKind(read, 'user').map(({ origin }) => origin)).toEqual(['user', 'runtime']);
    expect(ofKind(read, 'reply').at(-1)?.text).toBe('One test fails.');
  });

  it('takes the totals of the session from its database, where it counts, and not again from its older file', async () => {
    const path = makeStore(join(folder.path, 'sessions.db'));
    const { sessions, readings } = await readAll([path]);
    expect(sessions.map(({ facts }) => facts.sessionId)).toEqual([ID, 'child']);
    expect(sessions[0]?.facts).toMatchObject({
      declaredUsage: { input: 9000, output: 400 },
      project: '/work/calc',
      runs: [{ turns: 1, startedAt: 1775000000000, models: [{ model: 'claude-sonnet-4-5' }] }],
    });
    expect(sessions[1]?.facts.runs[0]?.trigger).toBe('subagent');
    expect(JSON.stringify(readings)).toContain('not JSON');
    const both = await readAll([path, PATH]);
    expect(both.sessions.map(({ facts }) => [facts.sessionId, facts.runs.length])).toEqual(
      sessions.map(({ facts }) => [facts.sessionId, facts.runs.length]),
    );
  });

  it('reads what a run prints', () => {
    const lines = messages.map((message) => ({ type: 'message', message }));
    const printed = readLines(
      gooseAdapter,
      [...lines, { type: 'complete', total_tokens: 3100 }],
      'out.jsonl',
    );
    expect(ofKind(printed, 'result')).toHaveLength(3);
    expect(printed.unknown).toEqual([]);
    expect(ofKind(readDocument(gooseAdapter, { messages, metadata: {} }), 'call')).toHaveLength(3);
    const broken = [
      { role: 'assistant', created: 1775000000, content: [{ type: 'hologram' }] },
      { type: 'x' },
    ];
    expect(readLines(gooseAdapter, broken).unknown).toEqual(['block hologram', 'x']);
  });

  it('names itself where no header does', () => {
    const read = readLines(gooseAdapter, [{ type: 'message', message: messages[0] }], '/x/out.jsonl');
    expect(ofKind(read, 'session')).toMatchObject([{ agent: 'goose' }]);
  });

  it('is found where its variables say', () => {
    const placeOf = (env: Record<string, string>) => goose.places?.('/home/me', env)[0]?.place;
    expect(placeOf({})).toBe('/home/me/.local/share/goose/sessions');
    expect(placeOf({ GOOSE_PATH_ROOT: '/g' })).toBe('/g/data/sessions');
  });
});
