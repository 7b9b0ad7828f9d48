import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionFacts } from '../../../evidence.ts';
import { addUsage, NO_USAGE } from '../../../usage.ts';
import { readAll } from '../../read-all.ts';
import { usageOfSession } from '../../testing/usage-of-session.ts';
import { formatNamed } from '../formats.ts';
import { countOf, ofKind, readDocument, readLines } from '../testing/read-events.ts';
import { opencodeAdapter } from './adapter.ts';
import { companionFiles, storedMessages } from './stored-files.ts';

const opencode = formatNamed('opencode');

const FIXTURES = 'test/fixtures/session/opencode';
const ROOT = `${FIXTURES}/storage/session/proj1/ses_root0000000000000001.json`;
const CHILD = `${FIXTURES}/storage/session/proj1/ses_child000000000000001.json`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-opencode-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function json(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
}

/** The tables as current versions have them, without what nobody here reads, filled from the stored files. */
function makeStore(path: string, change: (store: DatabaseSync) => void = () => {}): void {
  const store = new DatabaseSync(path);
  store.exec(`
    CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT,
      revert TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);`);
  for (const path of [ROOT, CHILD]) {
    const { id, parentID, directory, title, version, time } = json(path);
    const { created } = time as { created: number };
    store
      .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, NULL, ?, 0)')
      .run(...([id, 'p', parentID ?? null, directory, title, version, created] as string[]));
  }
  for (const path of globSync(`${FIXTURES}/storage/message/*/*.json`)) {
    const { id, sessionID, ...data } = json(path);
    const { created } = data.time as { created: number };
    store
      .prepare('INSERT INTO message VALUES (?, ?, ?, ?)')
      .run(String(id), String(sessionID), created, JSON.stringify(data));
  }
  for (const path of globSync(`${FIXTURES}/storage/part/*/*.json`)) {
    const { id, messageID, sessionID, ...data } = json(path);
    store
      .prepare('INSERT INTO part VALUES (?, ?, ?, ?)')
      .run(String(id), String(messageID), String(sessionID), JSON.stringify(data));
  }
  change(store);
  store.close();
}

async function sessionsOf(...paths: string[]): Promise<SessionFacts[]> {
  const { sessions, unreadable } = await readAll(paths);
  expect(unreadable).toEqual([]);
  return sessions.map(({ facts }) => facts).sort((a, b) => (a.sessionId < b.sessionId ? 1 : -1));
}

/** What every form of the store must tell alike; the tokens of the last message are zeros and count for nothing. */
const ROOT_USAGE = {
  input: 300 + 200 + 100 + 500 + 90,
  output: 160 + 60 + 30 + 80 + 40,
  cacheRead: 9000 + 9300 + 9500 + 900,
  cacheWrite: 50,
};

describe('OpenCode, stored as JSON files', () => {
  const read = readDocument(opencodeAdapter, json(ROOT), ROOT);

  it('tells the session, who it works for and where', () => {
    expect(ofKind(read, 'session')).toMatchObject([
      { sessionId: 'ses_root0000000000000001', agent: 'opencode', project: '/work/calc' },
    ]);
    const child = readDocument(opencodeAdapter, json(CHILD), CHILD);
    expect(ofKind(child, 'session')).toMatchObject([
      { parentSessionId: 'ses_root0000000000000001', trigger: 'subagent' },
    ]);
    expect(ofKind(child, 'user').map(({ origin }) => origin)).toEqual(['subagent']);
  });

  it('takes what a person typed, not what was added to it', () => {
    expect(ofKind(read, 'user').map(({ text, origin }) => [origin, text])).toEqual([
      ['user', 'The tests of the calculator fail. Please fix them.'],
      ['user', 'Now write a long essay about it.'],
    ]);
  });

  it('counts every step of a message, with reasoning where it is apart from the output', () => {
    const usages = ofKind(read, 'reply').flatMap(({ usage }) => usage ?? []);
    const sum = (name: keyof typeof ROOT_USAGE) => usages.reduce((all, usage) => all + usage[name], 0);
    expect({
      input: sum('input'),
      output: sum('output'),
      cacheRead: sum('cacheRead'),
      cacheWrite: sum('cacheWrite'),
    }).toEqual(ROOT_USAGE);
    const costs = ofKind(read, 'reply').map(({ costUsd }) => costUsd ?? 0);
    expect(costs.reduce((all, cost) => all + cost, 0)).toBeCloseTo(0.12);
  });

  it('does not count reasoning twice where the total says that the output has it, and takes no cost of 0', () => {
    const [reply] = ofKind(readDocument(opencodeAdapter, json(CHILD), CHILD), 'reply');
    expect(reply?.usage).toEqual({ input: 50, output: 70, cacheRead: 0, cacheWrite: 0 });
    expect(reply).not.toHaveProperty('costUsd');
  });

  it('without a total tells by its date whether the output has the reasoning', () => {
    const tokens = { input: 1, output: 10, reasoning: 4, cache: { read: 0, write: 0 } };
    const outputAt = (created: number) => {
      const info = { id: 'm', role: 'assistant', time: { created }, tokens };
      return ofKind(readLines(opencodeAdapter, [{ info, parts: [] }]), 'reply')[0]?.usage?.output;
    };
    expect(outputAt(Date.UTC(2026, 0, 1))).toBe(10);
    expect(outputAt(Date.UTC(2026, 6, 1))).toBe(14);
  });

  it('tells a failed command from its exit code, a refusal from its words, a stopped call from both', () => {
    expect(ofKind(read, 'result').map(({ ok, denied }) => (denied ? 'denied' : ok))).toEqual([
      false,
      true,
      true,
      'denied',
      false,
      'denied',
    ]);
    expect(ofKind(read, 'call').map(({ tool }) => tool)).toEqual([
      'bash',
      'edit',
      'task',
      'bash',
      'read',
      'write',
    ]);
  });

  it('tells the sub-agent, one compaction, and that a person stopped it', () => {
    expect(ofKind(read, 'spawn')).toMatchObject([{ sessionId: 'ses_child000000000000001' }, { ok: true }]);
    expect(ofKind(read, 'compaction')).toHaveLength(1);
    expect(ofKind(read, 'interrupt')).toHaveLength(1);
    expect(countOf(ofKind(read, 'reply').map(({ stop }) => stop ?? '-'))).toEqual({
      tool: 3,
      end: 2,
      aborted: 1,
    });
  });

  it('counts apart what was taken back, also in what export writes', async () => {
    const revert = { messageID: 'msg_07' };
    const stored = join(folder, 'reverted', 'storage');
    cpSync(join(ROOT, '..', '..', '..'), stored, { recursive: true });
    const path = join(stored, 'session', basename(dirname(ROOT)), basename(ROOT));
    writeFileSync(path, JSON.stringify({ ...json(ROOT), revert }));
    const [session] = await sessionsOf(path);
    expect(session?.runs.map(({ turns }) => turns)).toEqual([1]);
    const whole = usageOfSession((await sessionsOf(ROOT))[0]);
    expect(session?.abandoned.entries).toBe(2);
    expect(addUsage(usageOfSession(session), session?.abandoned.usage ?? NO_USAGE)).toEqual(whole);
    const exported = join(folder, 'exported.json');
    const messages = [...storedMessages(ROOT, json(ROOT))];
    writeFileSync(exported, JSON.stringify({ info: { ...json(ROOT), revert }, messages }));
    const [same] = await sessionsOf(exported);
    expect([same?.abandoned, usageOfSession(same)]).toEqual([session?.abandoned, usageOfSession(session)]);
  });

  it('never leaves the store by an id', () => {
    const out = { ...json(ROOT), id: '../message/ses_root0000000000000001' };
    expect(ofKind(readDocument(opencodeAdapter, out, ROOT), 'user')).toEqual([]);
  });

  it('reads the oldest layout and parts that lie in one folder', () => {
    const oldest = join(folder, 'project', 'calc', 'storage', 'session');
    const info = join(oldest, 'info', basename(ROOT));
    mkdirSync(dirname(info), { recursive: true });
    cpSync(ROOT, info);
    cpSync(`${FIXTURES}/storage/message`, join(oldest, 'message'), { recursive: true });
    cpSync(`${FIXTURES}/storage/part`, join(oldest, 'part', 'ses_root0000000000000001'), { recursive: true });
    expect(countOf(readDocument(opencodeAdapter, json(info), info).events.map(({ kind }) => kind))).toEqual(
      countOf(read.events.map(({ kind }) => kind)),
    );
    const flat = join(folder, 'flat', 'session', 'p', basename(CHILD));
    mkdirSync(dirname(flat), { recursive: true });
    cpSync(CHILD, flat);
    cpSync(`${FIXTURES}/storage/message`, join(folder, 'flat', 'message'), { recursive: true });
    for (const part of globSync(`${FIXTURES}/storage/part/msg_2*/*.json`))
      cpSync(part, join(folder, 'flat', 'part', basename(part)));
    expect(ofKind(readDocument(opencodeAdapter, json(flat), flat), 'reply')[0]?.text).toBe('Two callers.');
  });

  it('is read again when its last messages change', () => {
    const beside = companionFiles(ROOT).map((path) => path.slice(FIXTURES.length + 1));
    expect(beside).toContain('storage/message/ses_root0000000000000001');
    expect(beside).toContain('storage/part/msg_08/prt_25.json');
    expect(beside).not.toContain('storage/part/msg_02/prt_06.json');
    expect(companionFiles('/somewhere/else.jsonl')).toEqual([]);
  });
});

describe('OpenCode, in its database', () => {
  it('tells the same as the files it was made from, and has them all to itself', async () => {
    const path = join(folder, 'opencode.db');
    makeStore(path);
    cpSync(`${FIXTURES}/storage`, join(folder, 'storage'), { recursive: true });
    const files = await sessionsOf(...globSync(join(folder, 'storage/session/*/*.json')));
    const rows = await sessionsOf(path);
    expect(rows.map(({ sessionId }) => sessionId)).toEqual([
      'ses_root0000000000000001',
      'ses_child000000000000001',
    ]);
    expect(usageOfSession(rows[0])).toEqual(ROOT_USAGE);
    expect(rows.map(usageOfSession)).toEqual(files.map(usageOfSession));
    const both = await sessionsOf(path, ...globSync(join(folder, 'storage/session/*/*.json')));
    expect(both.map(usageOfSession)).toEqual(rows.map(usageOfSession));
    expect(both).toHaveLength(2);
  });

  it('counts a message of a fork where it was said, and what was taken back apart', async () => {
    const path = join(folder, 'opencode.db');
    makeStore(path, (store) => {
      store.exec(`
        INSERT INTO session SELECT 'ses_fork0000000000000001', project_id, NULL, directory, title || ' (fork #1)', version,
          NULL, time_created + 1000000, 0 FROM session WHERE parent_id IS NULL;
        INSERT INTO message SELECT 'fork_' || id, 'ses_fork0000000000000001', time_created, data FROM message
          WHERE session_id = 'ses_root0000000000000001';
        INSERT INTO part SELECT 'fork_' || id, 'fork_' || message_id, session_id, data FROM part;
        INSERT INTO message VALUES ('new_1', 'ses_fork0000000000000001', 1779000000000,
          '{"role":"user","time":{"created":1779000000000}}');
        INSERT INTO part VALUES ('new_p1', 'new_1', '', '{"type":"text","text":"And now the other file."}');
        UPDATE session SET revert = '{"messageID":"msg_07"}' WHERE id = 'ses_root0000000000000001';`);
    });
    const sessions = await sessionsOf(path);
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([
      'ses_root0000000000000001',
      'ses_fork0000000000000001',
      'ses_child000000000000001',
    ]);
    expect(usageOfSession(sessions[0])).toEqual(ROOT_USAGE);
    expect(usageOfSession(sessions[1])).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
    expect(sessions[0]?.abandoned.entries).toBe(2);
  });

  it('counts rows that are not JSON and reads on', async () => {
    const path = join(folder, 'opencode.db');
    makeStore(path, (store) => store.exec(`UPDATE message SET data = '{' WHERE id = 'msg_01'`));
    const { sessions, readings } = await readAll([path]);
    expect(sessions).toHaveLength(2);
    expect(JSON.stringify(readings)).toContain('not JSON');
  });
});

describe('OpenCode, exported', () => {
  it('reads an export like the store', () => {
    const read = readDocument(opencodeAdapter, json(`${FIXTURES}/export/session.json`));
    const stored = readDocument(opencodeAdapter, json(ROOT), ROOT);
    expect(read.events.map(({ kind }) => kind)).toEqual(stored.events.map(({ kind }) => kind));
  });
});

describe('places of OpenCode', () => {
  const placesOf = (env: Record<string, string>) => opencode.places?.('/home/me', env) ?? [];

  it('follow its variables', () => {
    expect(placesOf({}).map(({ place }) => place)).toEqual([
      '/home/me/.local/share/opencode',
      '/home/me/.local/share/opencode/storage/session',
      '/home/me/.local/share/opencode/project',
    ]);
    expect(placesOf({ XDG_DATA_HOME: '/d' })[0]?.place).toBe('/d/opencode');
    const [own] = placesOf({ OPENCODE_DB: '/x/my.db' });
    expect(own?.place).toBe('/x');
    expect(own?.only?.test('/x/my.db')).toBe(true);
    expect(own?.only?.test('/x/other.db')).toBe(false);
  });

  it('take sessions and databases of all channels, not the messages beside them', () => {
    const [database] = placesOf({});
    expect(database?.only?.test('/d/opencode/opencode-dev.db')).toBe(true);
    expect(opencode.ignores?.('/d/opencode/storage/part/msg_1/prt_1.json')).toBe(true);
    expect(opencode.ignores?.('/d/opencode/storage/session/p/ses_1.json')).toBe(false);
  });
});
