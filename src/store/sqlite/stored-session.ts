/**
 * A session as its row holds it, with what tells whether it is still what was written. Columns are what questions are
 * asked by; names are numbers (session-names.ts), times are milliseconds since 1970, and the rest is packed.
 */
import { crc32 } from 'node:zlib';
import { AssayError } from '../../errors.ts';
import { SESSION_FIELDS } from '../fields.ts';
import { type Summed, shareOf } from '../rollup.ts';
import type { SessionRow } from '../session-row.ts';
import type { Json, SessionSummary } from '../store.ts';
import type { Connection, SqlRow } from './connection.ts';
import { packJson } from './pack-json.ts';
import type { PackingContext } from './packed-format.ts';
import { linkSession } from './session-links.ts';
import { LABEL_FIELDS, type NameNumbers, namesIn, type SessionLabel } from './session-names.ts';
import { unpackJson } from './unpack-json.ts';

/** The order of a row as it is read and written. */
const COLUMNS = [
  'session_key',
  'revision',
  'scored_at',
  'started_at',
  'label',
  'project',
  'q',
  'cost_usd',
  'coverage',
  'skipped_lines',
  'concern',
  'rest',
] as const;
const WIDTH = COLUMNS.length;
const PLACE = Object.fromEntries(COLUMNS.map((name, i) => [name, i])) as Record<
  (typeof COLUMNS)[number],
  number
>;
const [REVISION, REST] = [PLACE.revision, PLACE.rest];

/** What `rest` holds first, in this order in the file; columns that came later follow as they are declared. */
const FIRST_REST_FIELDS = [
  'sessionId',
  'parentSessionId',
  'endedAt',
  'completion',
  'execution',
  'efficiency',
  'outcome',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'turns',
  'toolCalls',
  'toolErrors',
  'compactions',
  'roi',
  'runs',
  'costAtLeast',
] as const satisfies readonly (keyof SessionRow)[];

const PLACED: ReadonlySet<string> = new Set([
  ...LABEL_FIELDS,
  ...FIRST_REST_FIELDS,
  'sessionKey',
  'revision',
  'scoredAt',
  'startedAt',
  'project',
  'q',
  'costUsd',
  'coverage',
  'skippedLines',
  'concern',
  'facts',
]);
const REST_FIELDS = [
  ...FIRST_REST_FIELDS,
  ...SESSION_FIELDS.map(({ name }) => name).filter((name) => !PLACED.has(name)),
] as readonly (keyof SessionRow)[];

/**
 * The columns of a row without its facts, as `readStored` takes them; and those of its facts after them. `turns` says
 * again what `rest` has, to put rows in order by.
 */
export const STORED_COLUMNS = `${COLUMNS.join(', ')}, current, checksum, id, turns`;
const STORED_WIDTH = WIDTH + 4;
export const FACTS_COLUMNS = 'facts, facts_checksum';

export type StoredSession = {
  readonly rowid: number;
  readonly values: SqlRow;
  readonly current: number;
  readonly turns: unknown;
  /** False: it is no longer what was written. */
  readonly isWhole: boolean;
};

export function readStored(row: SqlRow): StoredSession {
  const current = row[WIDTH];
  return {
    rowid: Number(row[WIDTH + 2]),
    values: row.slice(0, WIDTH),
    current: Number(current),
    turns: row[WIDTH + 3],
    isWhole: row[WIDTH + 1] === checksumOf(row, current),
  };
}

/** Of the columns, whose order in the file never matters, the flag and what is packed. */
function checksumOf(values: readonly unknown[], current: unknown): number {
  let text = '';
  for (let i = 0; i < REST; i += 1) {
    const value = values[i];
    if (value !== null && i !== REVISION) text += `${COLUMNS[i]}\0${value}\0`;
  }
  const [revision, rest] = [values[REVISION], values[REST]];
  const head = crc32(bytesOrText(revision), crc32(`${text}${current}`));
  return crc32(bytesOrText(rest), head);
}

function bytesOrText(value: unknown): Uint8Array | string {
  return value instanceof Uint8Array ? value : String(value);
}

const HASH = /^[0-9a-f]{64}$/;

/** A revision is a hash, and takes half the room as bytes. */
function packRevision(revision: string): Uint8Array | string {
  return HASH.test(revision) ? Buffer.from(revision, 'hex') : revision;
}

export function revisionOf({ values }: StoredSession): string {
  const revision = values[REVISION];
  return revision instanceof Uint8Array ? Buffer.from(revision).toString('hex') : String(revision);
}

/** The same in SQL. */
export function revisionIn(table: string): string {
  return `CASE typeof(${table}.revision) WHEN 'blob' THEN lower(hex(${table}.revision)) ELSE ${table}.revision END`;
}

export function scoredAtOf({ values }: StoredSession): string {
  return timeOf(values[PLACE.scored_at]);
}

/** Throws when it is damaged. */
export function summaryOf(connection: Connection, stored: StoredSession): SessionSummary {
  const summary = stored.isWhole ? unpacked(connection, stored.values) : undefined;
  if (summary === undefined || (summary.turns ?? null) !== stored.turns)
    throw damagedSession(connection, stored.values);
  return summary;
}

/** Its names, and what it adds to sums, without all else; throws when it is damaged. */
export function summedOf(connection: Connection, stored: StoredSession): SummedSession {
  const { values, isWhole, turns } = stored;
  const [, , , startedAt, labelId, projectId, q, costUsd, coverage, , concern, rest] = values;
  const names = namesIn(connection);
  const label = names.label(labelId);
  const project = projectId === null ? undefined : names.project(projectId);
  const packed = isWhole && rest instanceof Uint8Array ? rest : undefined;
  const others = packed && unpackJson(packed, { names: [], moment: momentOf(startedAt) });
  const isKnown = label !== undefined && (projectId === null || project !== undefined);
  if (!isKnown || !Array.isArray(others) || (others[REST_PLACES.turns] ?? null) !== turns)
    throw damagedSession(connection, values);
  const value = (name: SummedRest) => numberIn(others[REST_PLACES[name]]);
  const summed = {
    taskType: label.taskType,
    source: label.source,
    tier: label.tier,
    q: numberIn(q),
    costUsd: numberIn(costUsd),
    coverage: Number(coverage),
    concern: numberIn(concern),
    costAtLeast: value('costAtLeast'),
    completion: value('completion'),
    execution: value('execution'),
    efficiency: value('efficiency'),
    outcome: value('outcome'),
    turns: value('turns'),
    inputTokens: value('inputTokens'),
    outputTokens: value('outputTokens'),
    cacheReadTokens: value('cacheReadTokens'),
    cacheWriteTokens: value('cacheWriteTokens'),
  };
  // An absent value and an undefined one add the same.
  const share = shareOf(summed as Summed);
  return {
    names: { ...label, ...(project !== undefined && { project }) },
    startedAt: momentOf(startedAt),
    share,
  };
}

export type SummedSession = {
  readonly names: SessionLabel & Pick<SessionRow, 'project'>;
  /** Milliseconds since 1970. */
  readonly startedAt: number | undefined;
  readonly share: ReturnType<typeof shareOf>;
};

type SummedRest = Extract<keyof Summed, (typeof FIRST_REST_FIELDS)[number]>;
const REST_PLACES = Object.fromEntries(REST_FIELDS.map((name, i) => [name, i])) as Record<SummedRest, number>;

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Undefined: some of it is not there any more. */
function unpacked(connection: Connection, values: SqlRow): SessionSummary | undefined {
  const [key, , scoredAt, startedAt, labelId, projectId, q, costUsd, coverage, skippedLines, concern, rest] =
    values;
  const names = namesIn(connection);
  const label = names.label(labelId);
  const project = projectId === null ? undefined : names.project(projectId);
  const others =
    rest instanceof Uint8Array ? unpackJson(rest, { names: [], moment: momentOf(startedAt) }) : undefined;
  if (label === undefined || (projectId !== null && project === undefined) || !Array.isArray(others))
    return undefined;
  const summary: Record<string, unknown> = {
    sessionKey: String(key),
    revision: revisionOf({ values } as StoredSession),
    scoredAt: timeOf(scoredAt),
    ...label,
    coverage,
    skippedLines,
  };
  for (let i = 0; i < others.length; i += 1)
    if (others[i] !== null) summary[REST_FIELDS[i] as string] = others[i];
  if (typeof summary.endedAt === 'number') summary.endedAt = timeOf(summary.endedAt);
  if (summary.roi === true) summary.roi = Number(q) / Number(costUsd);
  if (startedAt !== null) summary.startedAt = timeOf(startedAt);
  if (project !== undefined) summary.project = project;
  if (q !== null) summary.q = q;
  if (costUsd !== null) summary.costUsd = costUsd;
  if (concern !== null) summary.concern = concern;
  return summary as SessionSummary;
}

/** Whether the names of a session can be read, which are not in its row. */
export function hasNames(connection: Connection, { values }: StoredSession): boolean {
  const [label, project] = [values[PLACE.label], values[PLACE.project]];
  const names = namesIn(connection);
  return names.label(label) !== undefined && (project === null || names.project(project) !== undefined);
}

function timeOf(ms: unknown): string {
  return new Date(Number(ms)).toISOString();
}

function momentOf(ms: unknown): number | undefined {
  return typeof ms === 'number' ? ms : undefined;
}

/** The whole row; `row` has the columns of the facts at its end. */
export function sessionOf(connection: Connection, row: SqlRow): SessionRow {
  const stored = readStored(row);
  const summary = summaryOf(connection, stored);
  const [packed, checksum] = row.slice(STORED_WIDTH);
  const facts = isWholeFacts([packed, checksum])
    ? unpackJson(packed as Uint8Array, contextOf(summary))
    : undefined;
  if (facts === undefined) throw damagedSession(connection, stored.values);
  return { ...summary, facts };
}

/** Whether facts, as `FACTS_COLUMNS` reads them, are what was written. */
export function isWholeFacts([packed, checksum]: readonly unknown[]): boolean {
  return packed instanceof Uint8Array && crc32(packed) === checksum;
}

/** What the facts say again. An agent may name folders after that of the project. */
function contextOf(row: Omit<SessionSummary, 'facts'>): PackingContext {
  const { sessionId, project, model, agent, source, startedAt } = row;
  return {
    names: [sessionId, project?.replace(/[^a-zA-Z0-9]/g, '-'), project, model, agent, source],
    ...(startedAt !== undefined && { moment: Date.parse(startedAt) }),
  };
}

export function damagedSession(connection: Connection, values: SqlRow): AssayError {
  const rest = values[REST];
  const others = rest instanceof Uint8Array ? unpackJson(rest) : undefined;
  const [id = '', key] = [Array.isArray(others) ? others[0] : undefined, values[PLACE.session_key]].map(
    (value) => JSON.stringify(String(value)),
  );
  return new AssayError(
    'STORE_CORRUPT',
    `${connection.path} is damaged: the session ${id} (key ${key}) is not what was stored`,
    { remedy: 'Score its transcript again, which writes it anew, or take the store from a backup.' },
  );
}

const INSERTED = [...COLUMNS, 'turns', 'current', 'checksum', 'facts', 'facts_checksum'];
const INSERT = `INSERT INTO session (${INSERTED.join(', ')}) VALUES (${INSERTED.map(() => '?').join(', ')})`;

export type StoredState = {
  readonly current: number;
  readonly isDamaged?: boolean;
  readonly hasDamagedFacts?: boolean;
};

/** Its revision must not be there yet. What was damaged before stays recognisable. */
export function insertSession(
  connection: Connection,
  numbers: NameNumbers,
  row: SessionRow,
  { current, isDamaged = false, hasDamagedFacts = false }: StoredState,
): 1 {
  const { facts, ...summary } = row;
  const startedAt = row.startedAt === undefined ? null : Date.parse(row.startedAt);
  const values = [
    row.sessionKey,
    packRevision(row.revision),
    Date.parse(row.scoredAt),
    startedAt,
    numbers.label(row),
    numbers.project(row.project),
    row.q ?? null,
    row.costUsd ?? null,
    row.coverage,
    row.skippedLines,
    row.concern ?? null,
    packRest(row, startedAt),
  ];
  const packed = packJson(facts, contextOf(summary));
  const [checksum, factsChecksum] = [checksumOf(values, current), crc32(packed)];
  const { id } = connection.run(INSERT, [
    ...values,
    row.turns ?? null,
    current,
    isDamaged ? ~checksum : checksum,
    packed,
    hasDamagedFacts ? ~factsChecksum : factsChecksum,
  ]);
  linkSession(connection, id, row);
  return 1;
}

function packRest(row: SessionRow, startedAt: number | null): Uint8Array {
  const values: (Json | undefined)[] = REST_FIELDS.map((name) => row[name]);
  if (row.endedAt !== undefined) values[REST_FIELDS.indexOf('endedAt')] = Date.parse(row.endedAt);
  const { q, costUsd, roi } = row;
  // Said in one byte where it is what dividing gives.
  if (roi !== undefined && q !== undefined && costUsd !== undefined && q / costUsd === roi)
    values[REST_FIELDS.indexOf('roi')] = true;
  while (values.length > 0 && values.at(-1) === undefined) values.pop();
  return packJson(
    values.map((value) => value ?? null),
    { names: [], moment: momentOf(startedAt) },
  );
}

const SET_STATE = 'UPDATE session SET session_key = ?, scored_at = ?, current = ?, checksum = ? WHERE id = ?';

export type StateChange = {
  readonly sessionKey?: string;
  readonly scoredAt?: string;
  readonly current?: number;
};

/** What may change of a row that is there. */
export function setState(connection: Connection, stored: StoredSession, change: StateChange): StoredSession {
  const { sessionKey = String(stored.values[PLACE.session_key]), current = stored.current } = change;
  const scoredAt =
    change.scoredAt === undefined ? Number(stored.values[PLACE.scored_at]) : Date.parse(change.scoredAt);
  const values = stored.values.with(PLACE.session_key, sessionKey).with(PLACE.scored_at, scoredAt);
  const { rowid, turns } = stored;
  connection.run(SET_STATE, [sessionKey, scoredAt, current, checksumOf(values, current), rowid]);
  return { rowid, values, current, turns, isWhole: true };
}

/** For the migration: what the packed part of a row says of turns. */
export function turnsIn(rest: unknown): number | null {
  const others = rest instanceof Uint8Array ? unpackJson(rest, { names: [] }) : undefined;
  const turns = Array.isArray(others) ? others[REST_FIELDS.indexOf('turns')] : undefined;
  return typeof turns === 'number' ? turns : null;
}

/** Rows read at a time: memory stays small, whatever the size of the store. */
const ROWS_AT_ONCE = 5000;

/** In the order in which they were added; `take` may change the row, and `and` is a further condition. */
export function eachStored(
  connection: Connection,
  and: string,
  take: (stored: StoredSession) => void,
  between: () => void = () => {},
): void {
  const sql = `SELECT ${STORED_COLUMNS} FROM session WHERE id > ? ${and} ORDER BY id LIMIT ${ROWS_AT_ONCE}`;
  for (let last = 0; ; ) {
    const rows = connection.all(sql, [last]).map(readStored);
    for (const stored of rows) take(stored);
    between();
    const { rowid } = rows.at(-1) ?? {};
    if (rowid === undefined) return;
    last = rowid;
  }
}
