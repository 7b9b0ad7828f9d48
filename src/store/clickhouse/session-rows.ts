/** Between a session and its row. */
import { SESSION_FIELDS } from '../fields.ts';
import { shareOf } from '../rollup.ts';
import type { SessionRow } from '../session-row.ts';
import type { SessionSummary } from '../store.ts';
import { bucketOf } from '../time-bucket.ts';
import type { Connection, RowValues } from './connection.ts';
import { NO_HOUR } from './schema.ts';
import { columnName, damaged, fromRow, toValues } from './table.ts';

const FIELDS = SESSION_FIELDS;
const FACTS = FIELDS.findIndex(({ name }) => name === 'facts');
const TIMES = FIELDS.flatMap(({ kind }, i) => (kind === 'time' ? [i] : []));
const NAMES = FIELDS.map(({ name }) => columnName(name));
const SUMMARY_FIELDS = FIELDS.filter((_, i) => i !== FACTS);

export const ROW_COLUMNS = [...NAMES, 'hour', 'sums', 'bins', 'version', 'is_deleted', 'is_trace'];
/** What is read of a session, whole or without its facts. */
export const WHOLE = NAMES.join(', ');
export const SUMMARY = NAMES.filter((_, i) => i !== FACTS).join(', ');

export function hourOf(startedAt: string | undefined): number {
  return startedAt === undefined ? NO_HOUR : bucketOf('hour', Date.parse(startedAt));
}

/** When it was scored, then the first bytes of its revision: the greatest is current. */
export function versionOf({ scoredAt, revision }: Pick<SessionRow, 'scoredAt' | 'revision'>): bigint {
  const name = Buffer.alloc(REVISION_BYTES);
  name.write(revision);
  return (
    (BigInt(Date.parse(scoredAt) + EPOCH_MS) << BigInt(REVISION_BYTES * 8)) |
    BigInt(`0x${name.toString('hex')}`)
  );
}

const REVISION_BYTES = 24;
/** The year 0 is the first that a time may have; a version is not negative. */
const EPOCH_MS = 62_167_219_200_000;

export function rowOf(row: SessionRow, isDeleted: 0 | 1): RowValues {
  const values = toValues(FIELDS, row);
  for (const i of TIMES) if (values[i] !== null) values[i] = Date.parse(String(values[i]));
  const { sums, bins } = shareOf(row);
  return [...values, hourOf(row.startedAt), sums, bins, String(versionOf(row)), isDeleted, 0];
}

/** What is left where a session was that begins at another hour now. */
export function tombstone(sessionKey: string, hour: number, version: bigint): RowValues {
  return ROW_COLUMNS.map((name) => {
    if (name === 'session_key') return sessionKey;
    if (name === 'hour') return hour;
    if (name === 'version') return String(version);
    if (name === 'is_deleted' || name === 'is_trace') return 1;
    if (name === 'sums' || name === 'bins') return [];
    return EMPTY[name] ?? null;
  });
}

const EMPTY: Readonly<Record<string, unknown>> = Object.fromEntries(
  FIELDS.filter(({ optional }) => !optional).map(({ name, kind }) => [
    columnName(name),
    kind === 'number' || kind === 'time' ? 0 : '',
  ]),
);

export function summaryOf(connection: Connection, row: RowValues): SessionSummary {
  return fromRow<SessionSummary>(
    connection.place,
    'session',
    SUMMARY_FIELDS,
    withTimes(connection, SUMMARY_FIELDS, row),
  );
}

export function sessionOf(connection: Connection, row: RowValues): SessionRow {
  return fromRow<SessionRow>(connection.place, 'session', FIELDS, withTimes(connection, FIELDS, row));
}

function withTimes({ place }: Connection, fields: typeof FIELDS, row: RowValues): RowValues {
  return row.map((value, i) => {
    const field = fields[i];
    if (field?.kind !== 'time' || value === null) return value;
    const time = new Date(Number(value));
    if (Number.isNaN(time.getTime())) throw damaged(place, 'session', field.name);
    return time.toISOString();
  });
}
