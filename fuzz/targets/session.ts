import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sessionRow } from '../../src/api/schema/session-row.ts';
import { encodeSessionRow } from '../../src/api/session-row.ts';
import { readReport } from '../../src/session/calibration/harness/read-report.ts';
import { parseOutcomes, parseRatings, parseTaskTypes } from '../../src/session/calibration/labels.ts';
import { readWeights } from '../../src/session/calibration/weights-file.ts';
import { printedRow } from '../../src/session/columns.ts';
import type { SessionFacts } from '../../src/session/evidence.ts';
import { FORMATS } from '../../src/session/ingest/formats/formats.ts';
import { loadFormats } from '../../src/session/ingest/formats/load-formats.ts';
import { encode } from '../../src/session/ingest/formats/otlp/testing/encode.ts';
import { ROWS } from '../../src/session/ingest/formats/testing/rows.ts';
import { SAMPLES } from '../../src/session/ingest/formats/testing/samples.ts';
import { readFile } from '../../src/session/ingest/reading/read-file.ts';
import { readIntents } from '../../src/session/intents/intents-file.ts';
import { decodeTelemetry, type TelemetryKind, telemetryRecords } from '../../src/session/live/telemetry.ts';
import { scoreSession } from '../../src/session/score-session.ts';
import { sessionRow as storedRow } from '../../src/sync.ts';
import { Broken, type Target } from '../target.ts';
import { filesLike, fileTarget } from './file-target.ts';

/** From a file to what is printed and stored: rows match the wire schema, and facts survive the store unchanged. */
async function rowsOf(path: string, only?: string): Promise<unknown> {
  const formats = (await loadFormats()).filter(({ name }) => only === undefined || name === only);
  const forced = only === undefined ? formats : formats.map((format) => ({ ...format, detect: () => true }));
  const { sessions, reading } = await readFile(path, { formats: forced });
  return { reading, rows: sessions.map((facts) => rowOf(facts, reading)) };
}

function rowOf(facts: SessionFacts, file: Awaited<ReturnType<typeof readFile>>['reading']): unknown {
  const stored = storedRow({ session: scoreSession(facts), facts, file }, '2026-01-01T00:00:00.000Z');
  const row = encodeSessionRow(printedRow(stored, {}));
  const checked = sessionRow.safeParse(JSON.parse(JSON.stringify(row)));
  if (!checked.success) throw new Broken(`a row is not of the wire: ${checked.error.message}`);
  return row;
}

/** Documents and lines in the formats of agents, each read in its own format. */
const files = SAMPLES.map(({ name, sample }) => ({ name, path: sample.path }));
const extensionOf = (path: string) => /\.(?:traj\.json|[a-z]+)$/.exec(path)?.[0] ?? '.json';

const formatTargets = FORMATS.flatMap(({ name }): Target[] => {
  const own = files.filter((file) => file.name === name);
  const extensions = [...new Set(own.map(({ path }) => extensionOf(path)))];
  return extensions.map((extension) => ({
    name: extensions.length === 1 ? `session/${name}` : `session/${name}${extension.replaceAll('.', '-')}`,
    seeds: () =>
      own.filter(({ path }) => extensionOf(path) === extension).flatMap(({ path }) => seedOf(path)),
    open: (folder) => ({
      read: (input) => {
        const path = join(folder, `input${extension}`);
        writeFileSync(path, input);
        return rowsOf(path, name);
      },
    }),
  }));
});

function seedOf(path: string): Buffer[] {
  if (path !== 'neutral.jsonl') return [readFileSync(path)];
  return [
    Buffer.from(/```jsonl\n([\s\S]*?)```/.exec(readFileSync('docs/formats/neutral.md', 'utf8'))?.[1] ?? ''),
  ];
}

/** Formats that are read from databases: rows as they hand them to themselves, one to a line. */
const rowTargets = ROWS.map(
  ([name, adapter, rows]): Target => ({
    name: `session/rows-of-${name}`,
    seeds: () => [Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'))],
    open: (folder) => ({
      read: async (input) => {
        const path = join(folder, 'rows.jsonl');
        writeFileSync(path, input);
        const format = { name, title: name, ...adapter, store: undefined, detect: () => true };
        const { store: _, ...plain } = format;
        const { sessions, reading } = await readFile(path, { formats: [plain] });
        return { reading, rows: sessions.map((facts) => rowOf(facts, reading)) };
      },
    }),
  }),
);

/** A file of SQLite as agents have them. */
function databaseSeed(): Buffer {
  const database = new DatabaseSync(':memory:');
  database.exec(`PRAGMA page_size = 512;
    CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, cost REAL, created_at INTEGER, updated_at INTEGER);
    CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INTEGER);
    CREATE INDEX of_session ON messages (session_id);
    INSERT INTO sessions VALUES ('s', NULL, 0.5, 1775000000, 1775000009);
    INSERT INTO messages VALUES ('m1', 's', 'user', '[{"type":"text","data":{"text":"Fix it."}}]', NULL, 1775000001);
    INSERT INTO messages VALUES ('m2', 's', 'assistant', '[{"type":"text","data":{"text":"Done."}}]', 'm', 1775000002);`);
  const bytes = Buffer.from(database.serialize());
  database.close();
  return bytes;
}

const telemetry = (['traces', 'logs'] as const).flatMap((kind) =>
  (['json', 'protobuf'] as const).map((encoding) => telemetryTarget(kind, encoding)),
);

function telemetryTarget(kind: TelemetryKind, encoding: 'json' | 'protobuf'): Target {
  const like =
    kind === 'traces'
      ? ['test/fixtures/session/otlp-*/*.json*']
      : ['test/fixtures/session/otlp-{logs,codex}/*.json*'];
  return {
    name: `session/live-${kind}-${encoding}`,
    seeds: () => (encoding === 'json' ? filesLike(like) : filesLike(like).flatMap(binaryOf)),
    open: () => ({
      read: (input) => telemetryRecords(decodeTelemetry(input, kind, encoding), kind),
    }),
  };
}

/** A document, or the first line, as a program sends it. */
function binaryOf(json: Buffer): Buffer[] {
  try {
    return [encode(JSON.parse(json.toString('utf8').split(/\n(?=\{)/)[0] ?? ''))];
  } catch {
    return [];
  }
}

const csv = Buffer.from(
  'session_id,session_key,rating,outcome,task_type,author\ns-1,k-1,4,success,coding,me\ns-2,,2,0,research,\n',
);

export const sessionTargets: readonly Target[] = [
  ...formatTargets,
  ...rowTargets,
  ...telemetry,
  fileTarget({
    name: 'session/any-file',
    file: 'input.jsonl',
    like: ['test/fixtures/session/{stream-json,droid,pi-v3-tree,goose}/**/*.jsonl'],
    read: (path) => rowsOf(path),
  }),
  fileTarget({ name: 'session/zip', file: 'input.zip', read: (path) => rowsOf(path) }),
  fileTarget({ name: 'session/eval-archive', file: 'input.eval', read: (path) => rowsOf(path) }),
  fileTarget({ name: 'session/gzip', file: 'input.jsonl.gz', read: (path) => rowsOf(path) }),
  {
    name: 'session/database',
    seeds: () => [databaseSeed()],
    open: (folder) => ({
      read: (input) => {
        const path = join(folder, 'crush.db');
        writeFileSync(path, input);
        return rowsOf(path);
      },
    }),
  },
  {
    name: 'session/labels',
    seeds: () => [csv, Buffer.from('[{"session_id":"s-1","rating":4,"outcome":1,"task_type":"coding"}]')],
    open: () => ({
      read: (input) => {
        const text = input.toString('utf8');
        return [parseRatings, parseOutcomes, parseTaskTypes].map((read) =>
          tried(() => read(text, 'labels.csv')),
        );
      },
    }),
  },
  fileTarget({
    name: 'session/weights',
    file: 'weights.json',
    like: ['test/fixtures/session/weights-without-gain.json'],
    read: readWeights,
  }),
  fileTarget({ name: 'session/intents', file: 'intents.json', read: readIntents }),
  fileTarget({
    name: 'session/harness-report',
    file: 'results.json',
    like: [
      'test/fixtures/session/tau*/*.json',
      'test/fixtures/session/inspect-ai/*.json',
      'test/fixtures/session/langfuse/*.json',
    ],
    read: readReport,
  }),
];

/** One reader refuses what another one takes. */
function tried(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && error.name === 'AssayError') return error.message;
    throw error;
  }
}
