import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { readAll } from '../read-all.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { formatNamed } from './formats.ts';
import { hermesAdapter } from './hermes.ts';
import { ofKind, readDocument, readLines } from './testing/read-events.ts';

const hermes = formatNamed('hermes');

const ID = '20260429_200000_ab12cd34';
const PATH = `test/fixtures/session/hermes/sessions/session_${ID}.json`;
type Message = Readonly<Record<string, unknown>> & { readonly role: string };
const document = JSON.parse(readFileSync(PATH, 'utf8')) as { readonly messages: readonly Message[] };
const folder = tempFolder();

function makeStore(): string {
  const path = join(folder.path, 'state.db');
  const store = new DatabaseSync(path);
  store.exec(`CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, model_config TEXT,
      parent_session_id TEXT, started_at REAL, ended_at REAL, end_reason TEXT, input_tokens INTEGER,
      output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, estimated_cost_usd REAL,
      actual_cost_usd REAL);
    CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_calls TEXT,
      tool_call_id TEXT, timestamp REAL, finish_reason TEXT);
    INSERT INTO sessions VALUES ('${ID}', 'cli', 'anthropic/claude-sonnet-4-6', NULL, NULL, 1777492800.5, NULL, NULL, 300,
      90, 8000, 100, 0.02, 0.03), ('child', 'cli', 'm', '{"_delegate_from":"${ID}"}', '${ID}', 1777492801.5, NULL, NULL,
      0, 0, 0, 0, NULL, NULL), ('job', 'cron', 'm', NULL, NULL, 1777492802.5, NULL, NULL, 1, 1, 0, 0, NULL, NULL);
    INSERT INTO messages VALUES (90, 'child', 'user', 'Look.', NULL, NULL, 1777492803.0, NULL),
      (91, 'job', 'user', 'Report.', NULL, NULL, 1777492803.0, NULL);`);
  const put = store.prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  document.messages.forEach((message, index) => {
    if (message.role === 'session_meta') return;
    const calls = message.tool_calls === undefined ? null : JSON.stringify(message.tool_calls);
    const text = (name: string) => (typeof message[name] === 'string' ? (message[name] as string) : null);
    put.run(
      index + 1,
      ID,
      message.role,
      text('content'),
      calls,
      text('tool_call_id'),
      1777492800.5 + index,
      text('finish_reason'),
    );
  });
  store.close();
  return path;
}

describe('the Hermes Agent', () => {
  const read = readDocument(hermesAdapter, document, PATH);

  it('tells failures from exit codes, and what a person denied', () => {
    expect(ofKind(read, 'result').map(({ callId, ok, denied }) => [callId, denied ? 'denied' : ok])).toEqual([
      ['c1', false],
      ['c2', 'denied'],
      ['c3', false],
    ]);
    expect(ofKind(read, 'compaction')).toHaveLength(1);
    expect(ofKind(read, 'user').map(({ origin }) => origin)).toEqual(['user', 'runtime']);
    expect(read.unknown).toEqual([]);
  });

  it('has tokens, cost, parents and triggers in its database, and counts its files no second time', async () => {
    const path = makeStore();
    const { sessions } = await readAll([path]);
    expect(
      sessions.map(({ facts }) => [facts.sessionId, facts.parentSessionId, facts.runs[0]?.trigger]),
    ).toEqual([
      [ID, undefined, 'user'],
      ['child', ID, 'subagent'],
      ['job', undefined, 'cron'],
    ]);
    expect(sessions[0]?.facts).toMatchObject({
      declaredUsage: { input: 300, output: 90, cacheRead: 8000, cacheWrite: 100 },
      declaredCostUsd: 0.03,
      runs: [{ turns: 1, end: 'normal', startedAt: 1777492800500 }],
    });
    const both = await readAll([path, PATH]);
    expect(both.sessions.map(({ facts }) => facts.sessionId)).toEqual([ID, 'child', 'job']);
    expect((await readAll([PATH])).sessions).toHaveLength(1);
  });

  it('reads lines, whose session is the name of the file', () => {
    const lines = [{ role: 'session_meta', model: 'm', platform: 'cron' }, ...document.messages.slice(0, 2)];
    const found = readLines(hermesAdapter, lines, `/h/sessions/${ID}.jsonl`);
    expect(ofKind(found, 'session')[0]).toMatchObject({ sessionId: ID, trigger: 'cron', model: 'm' });
    expect(readLines(hermesAdapter, [{ role: 'oracle' }]).unknown).toEqual(['oracle']);
  });

  it('is found where its variable says', () => {
    const [store, files] = hermes.places?.('/home/me', { HERMES_HOME: '/h' }) ?? [];
    expect(store?.only?.test('/h/state.db')).toBe(true);
    expect(files?.only?.test(`/h/sessions/session_${ID}.json`)).toBe(true);
    expect(files?.only?.test('/h/sessions/sessions.json')).toBe(false);
  });

  it('is found in the home of each profile, and links to others are not followed', () => {
    mkdirSync(join(folder.path, 'profiles', 'work'), { recursive: true });
    symlinkSync('/', join(folder.path, 'profiles', 'out'));
    const places = hermes.places?.('/home/me', { HERMES_HOME: folder.path }) ?? [];
    expect(places.map(({ place }) => relative(folder.path, place))).toEqual([
      '',
      'sessions',
      join('profiles', 'work'),
      join('profiles', 'work', 'sessions'),
    ]);
  });
});
