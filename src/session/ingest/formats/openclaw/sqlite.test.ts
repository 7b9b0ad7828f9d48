import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../../event.ts';
import type { StoreSession } from '../format.ts';
import { openclawAdapter } from './adapter.ts';
import { storeSessions } from './sqlite.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-store-'));
  path = join(folder, 'agents', 'main', 'agent', 'openclaw-agent.sqlite');
  mkdirSync(dirname(path), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const transcript = readFileSync('test/fixtures/session/openclaw-main/session.jsonl', 'utf8')
  .trim()
  .split('\n');

/** The tables as current versions have them, without what nobody here reads. */
const SCHEMA = `
  CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, event_zstd BLOB,
    created_at INTEGER NOT NULL, PRIMARY KEY (session_id, seq)) STRICT;
  CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT NOT NULL, entry_json TEXT NOT NULL) STRICT;
  CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT NOT NULL, created_at INTEGER, started_at INTEGER,
    status TEXT, model TEXT, model_provider TEXT, spawned_by TEXT, parent_session_key TEXT) STRICT;
  CREATE TABLE session_transcript_archives (session_id TEXT NOT NULL, generation TEXT NOT NULL, encoding TEXT NOT NULL,
    archive_blob BLOB NOT NULL, PRIMARY KEY (session_id, generation)) STRICT;
  CREATE TABLE trajectory_runtime_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, run_id TEXT, event_json TEXT NOT NULL,
    PRIMARY KEY (session_id, seq)) STRICT;
  CREATE TABLE message_tool_run_outcomes (id INTEGER PRIMARY KEY, session_key TEXT NOT NULL, outcome TEXT NOT NULL,
    occurred_at INTEGER NOT NULL) STRICT;`;

function make(fill: (store: DatabaseSync) => void, schema = SCHEMA): void {
  const store = new DatabaseSync(path);
  store.exec(schema);
  fill(store);
  store.close();
}

function addEvents(
  store: DatabaseSync,
  sessionId: string,
  lines: readonly string[],
  packed: (seq: number) => boolean,
) {
  const add = store.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?, 0)');
  store.exec('BEGIN');
  for (const [seq, line] of lines.entries()) {
    add.run(sessionId, seq, packed(seq) ? null : line, packed(seq) ? zstdCompressSync(line) : null);
  }
  store.exec('COMMIT');
}

function sessionsOf(file: string) {
  const problems: string[] = [];
  const sessions = [...storeSessions(file, (reason) => problems.push(reason))].map(
    (session) => session.sessionId,
  );
  return { sessions, problems };
}

type StoreRecord = { readonly sessionId: string; readonly line: number; readonly record: unknown };

function* readOpenclawStore(
  path: string,
  problem: Parameters<typeof storeSessions>[1] = () => {},
): Generator<StoreRecord> {
  for (const { sessionId, records } of storeSessions(path, problem))
    for (const { line, record } of records) yield { sessionId, line, record };
}

const openStore = () => storeSessions(path, () => {});
/** What is known of a session from beside its records. */
const factsOf = ({ sidecar }: StoreSession) => Object.assign({}, ...(sidecar?.before ?? []));

describe('a store of OpenClaw', () => {
  it('gives the same events as the file it replaced, packed rows and all', () => {
    make((store) => addEvents(store, 'main-1', transcript, (seq) => seq % 3 === 0));
    const eventsOf = (records: Iterable<{ line: number; record: unknown }>) => {
      const state = openclawAdapter.start({ path });
      const events: Event[] = [];
      for (const { line, record } of records)
        openclawAdapter.step(state, record, line, (event) => events.push(event));
      return events;
    };
    const fromFile = eventsOf(
      transcript.map((line, index) => ({ line: index + 1, record: JSON.parse(line) })),
    );
    const [session] = openStore();
    expect(session?.sessionId).toBe('main-1');
    for (const each of openStore()) expect(eventsOf(each.records)).toEqual(fromFile);
  });

  it('streams sessions in order of their ids, rows in order of their numbers', () => {
    make((store) => {
      addEvents(store, 'b', ['{"n":1}', '{"n":2}'], () => false);
      addEvents(store, 'a', ['{"n":3}'], () => false);
      store.exec(`INSERT INTO transcript_events VALUES ('b', -5, '{"n":0}', NULL, 0)`);
    });
    expect([...readOpenclawStore(path)]).toEqual([
      { sessionId: 'a', line: 1, record: { n: 3 } },
      { sessionId: 'b', line: 1, record: { n: 0 } },
      { sessionId: 'b', line: 2, record: { n: 1 } },
      { sessionId: 'b', line: 3, record: { n: 2 } },
    ]);
  });

  it('reads more rows than it fetches at once', () => {
    const lines = Array.from({ length: 2_345 }, (_, index) =>
      JSON.stringify({ index, fill: 'x'.repeat(5_000) }),
    );
    make((store) => addEvents(store, 's', lines, (seq) => seq % 2 === 0));
    const read = [...readOpenclawStore(path)].map(({ record }) => JSON.stringify(record));
    expect(read).toEqual(lines);
  });

  it('tells kind, parent, model, cost and end of a session', () => {
    make((store) => {
      addEvents(store, 'child', ['{}'], () => false);
      const node = store.prepare('INSERT INTO session_nodes VALUES (?, ?, ?)');
      node.run('agent:main:main', 'chat', '{"sessionId":"chat"}');
      const entry = {
        sessionId: 'child',
        spawnedBy: 'agent:main:main',
        status: 'failed',
        estimatedCostUsd: 0.5,
      };
      node.run('agent:main:subagent:u', 'child', JSON.stringify(entry));
      store.exec(`INSERT INTO session_windows VALUES
        ('child', 'agent:main:subagent:u', 1, 1, 'failed', 'small-model', 'litellm', 'agent:main:main', NULL)`);
    });
    const [child] = openStore();
    expect(child && factsOf(child)).toMatchObject({
      sessionId: 'child',
      agent: 'main',
      trigger: 'subagent',
      parentSessionId: 'chat',
      model: 'small-model',
      provider: 'litellm',
      costUsd: 0.5,
    });
    expect(child?.sidecar?.after).toEqual([{ kind: 'end', reason: 'error', line: 0 }]);
  });

  it('knows the parent from the node where the window names none', () => {
    const nodes =
      'entry_json TEXT NOT NULL, created_via TEXT, parent_session_key TEXT, spawned_by TEXT) STRICT;';
    make(
      (store) => {
        for (const id of ['chat', 'far', 'old', 'one', 'topic', 'two']) {
          addEvents(store, id, ['{}'], () => false);
        }
        const node = store.prepare('INSERT INTO session_nodes VALUES (?, ?, ?, ?, ?, ?)');
        node.run('agent:main:main', 'chat', '{}', 'operator', null, null);
        node.run('agent:main:subagent:a', 'one', '{}', 'spawn', 'agent:main:main', null);
        node.run('agent:main:acp:b', 'two', '{}', 'spawn', null, 'agent:main:main');
        node.run('agent:main:subagent:c', 'far', '{}', 'spawn', 'agent:other:main', null);
        node.run('agent:main:telegram:group:1:topic:2', 'topic', '{}', 'channel', 'agent:main:main', null);
        store.exec(
          `INSERT INTO session_windows (session_id, session_key) VALUES ('old', 'agent:main:subagent:a')`,
        );
      },
      SCHEMA.replace('entry_json TEXT NOT NULL) STRICT;', nodes),
    );
    const parents = [...openStore()].map((one) => [one.sessionId, factsOf(one).parentSessionId]);
    expect(parents).toEqual([
      ['chat', undefined],
      ['far', 'agent:other:main'],
      ['old', 'chat'],
      ['one', 'chat'],
      ['topic', undefined],
      ['two', 'chat'],
    ]);
  });

  it('does not lend an earlier window what is known of the present one', () => {
    make((store) => {
      addEvents(store, 'old', ['{}'], () => false);
      store.exec(`INSERT INTO session_nodes VALUES ('agent:main:main', 'new', '{"sessionId":"new","status":"failed","estimatedCostUsd":9}');
        INSERT INTO session_windows VALUES ('old', 'agent:main:main', 1, 1, 'done', 'm', NULL, NULL, NULL)`);
    });
    const [old] = openStore();
    expect(old && factsOf(old)).not.toHaveProperty('costUsd');
    expect(old?.sidecar?.after).toEqual([{ kind: 'end', reason: 'normal', line: 0 }]);
  });

  it('prefers what the recorder says about the runs', () => {
    make((store) => {
      addEvents(store, 's', ['{}'], () => false);
      const add = store.prepare('INSERT INTO trajectory_runtime_events VALUES (?, ?, ?, ?)');
      const event = (type: string, runId: string, data: object) => JSON.stringify({ type, runId, data });
      add.run('s', 1, 'r1', event('session.started', 'r1', { trigger: 'cron' }));
      add.run('s', 2, 'r1', event('model.completed', 'r1', { text: 'x'.repeat(9_000) }));
      add.run('s', 3, 'r1', event('session.ended', 'r1', { status: 'success' }));
      add.run(
        's',
        4,
        'r2',
        event('trace.artifacts', 'r2', { finalStatus: 'error', didSendViaMessagingTool: true }),
      );
      store.exec(
        `INSERT INTO session_windows VALUES ('s', 'agent:main:main', 1, 1, 'done', NULL, NULL, NULL, NULL)`,
      );
    });
    const [session] = openStore();
    expect(session?.sidecar?.between).toEqual([{ kind: 'end', reason: 'normal', line: 0 }]);
    expect(session?.sidecar?.after).toEqual([
      { kind: 'artifact', artifact: 'message', ok: true, line: 0 },
      { kind: 'end', reason: 'error', line: 0 },
    ]);
    expect(session?.sidecar?.before).toContainEqual({ kind: 'session', trigger: 'cron', line: 1 });
  });

  it('gives archived transcripts as sessions, packed or not', () => {
    make((store) => {
      const add = store.prepare('INSERT INTO session_transcript_archives VALUES (?, ?, ?, ?)');
      add.run('gone', 'g1', 'zstd', zstdCompressSync(`${transcript.join('\n')}\n`));
      add.run('reset', 'g2', 'identity', Buffer.from('{"n":1}\n\nbroken\n{"n":2}'));
      add.run('bad', 'g3', 'zstd', Buffer.concat([zstdCompressSync('x').subarray(0, 5), Buffer.from('??')]));
    });
    const problems: string[] = [];
    const read = [...readOpenclawStore(path, (what) => problems.push(what))];
    expect(read.filter(({ sessionId }) => sessionId === 'gone')).toHaveLength(transcript.length);
    expect(read.filter(({ sessionId }) => sessionId === 'reset').map(({ record }) => record)).toEqual([
      { n: 1 },
      { n: 2 },
    ]);
    expect(problems).toEqual(['row', 'row']);
  });
});

describe('a store that is in use', () => {
  it('is read with what stands in its log only, and left as it was', () => {
    const gateway = new DatabaseSync(path);
    gateway.exec(`PRAGMA journal_mode = WAL; ${SCHEMA}`);
    addEvents(gateway, 's', ['{"n":1}'], () => false);
    const before = readdirSync(dirname(path)).sort();
    const sessions = openStore()[Symbol.iterator]();
    const records = sessions.next().value?.records[Symbol.iterator]();
    expect(records?.next().value).toEqual({ line: 1, record: { n: 1 } });
    // In the middle of being read it can be written to and tidied up.
    gateway.exec(`INSERT INTO transcript_events VALUES ('s', 1, '{"n":2}', NULL, 0)`);
    expect(gateway.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0 });
    expect(records?.next().value).toEqual({ line: 2, record: { n: 2 } });
    sessions.return?.();
    expect(readdirSync(dirname(path)).sort()).toEqual(before);
    gateway.close();
  });

  it('is not touched when it was closed in good order', () => {
    make((store) => {
      store.exec('PRAGMA journal_mode = WAL');
      addEvents(store, 's', ['{"n":1}'], () => false);
    });
    expect([...readOpenclawStore(path)]).toHaveLength(1);
    expect(readdirSync(dirname(path))).toEqual(['openclaw-agent.sqlite']);
  });
});

describe('a store with less in it, or with worse', () => {
  it('may be of the first version, with neither packed rows nor tables about sessions', () => {
    make(
      (store) => store.exec(`INSERT INTO transcript_events VALUES ('s', 1, '{"n":1}', 0)`),
      'CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER)',
    );
    expect([...readOpenclawStore(path)]).toEqual([{ sessionId: 's', line: 1, record: { n: 1 } }]);
    expect(openclawAdapter.store?.isStore(path)).toBe(true);
  });

  it('may have no transcripts at all', () => {
    make(() => {}, 'CREATE TABLE memory_index_meta (key TEXT)');
    expect(sessionsOf(path)).toEqual({ sessions: [], problems: [] });
    expect(openclawAdapter.store?.isStore(path)).toBe(false);
  });

  it('may be no store, a link, a folder or nothing', () => {
    writeFileSync(join(folder, 'text.sqlite'), 'SQLite format 3\0 but not really'.repeat(100));
    make((store) => addEvents(store, 's', ['{}'], () => false));
    symlinkSync(path, join(folder, 'link.sqlite'));
    for (const name of ['text.sqlite', 'link.sqlite', 'agents', 'missing.sqlite']) {
      expect(sessionsOf(join(folder, name))).toEqual({ sessions: [], problems: ['store'] });
      expect(openclawAdapter.store?.isStore(join(folder, name))).toBe(false);
    }
  });

  it('loses only the rows that are bad', () => {
    make((store) => {
      const add = store.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?, 0)');
      add.run('s', 1, '{"n":1}', null);
      add.run('s', 2, '{"n":', null);
      add.run('s', 3, null, Buffer.from('no frame'));
      add.run('s', 4, null, null);
      add.run('s', 5, null, zstdCompressSync(JSON.stringify(' '.repeat(65 * 1024 * 1024))));
      add.run('s', 6, null, zstdCompressSync('{"n":6}'));
    });
    const problems: string[] = [];
    const read = [...readOpenclawStore(path, (reason) => problems.push(reason))];
    expect(read.map(({ record }) => record)).toEqual([{ n: 1 }, { n: 6 }]);
    expect(problems).toHaveLength(4);
  });

  it('cannot make its reader work forever with a view in the place of a table', () => {
    make(
      () => {},
      `CREATE VIEW transcript_events AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
       SELECT 's' AS session_id, i AS seq, '{}' AS event_json FROM n`,
    );
    expect(sessionsOf(path).sessions).toEqual([]);
  });

  it('neither throws nor goes in circles, whatever bytes of it are changed', () => {
    const lines = Array.from({ length: 60 }, (_, n) => JSON.stringify({ n, fill: 'x'.repeat(n * 3) }));
    make((store) => {
      for (const id of ['a', 'b', 'c']) addEvents(store, id, lines, (seq) => seq % 2 === 0);
    });
    const bytes = readFileSync(path);
    const broken = join(folder, 'broken.sqlite');
    // Small values hit counts and pointers of pages, where the damage is worst.
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.oneof(fc.nat(255), fc.nat(7)));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const copy = Buffer.from(bytes);
        for (const [at, value] of changes) copy[at] = value;
        writeFileSync(broken, copy);
        let rows = 0;
        for (const _ of readOpenclawStore(broken)) {
          rows += 1;
          if (rows > 10_000) throw new Error('goes in circles');
        }
      }),
      { numRuns: 150 },
    );
  });
});
