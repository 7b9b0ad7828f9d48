/** The tables of a store, and the mapping between records and rows. */
import { hash as digest } from 'node:crypto';
import { AssayError } from '../../errors.ts';
import { snakeCase } from '../../letter-case.ts';
import { canonicalJson } from '../canonical.ts';
import type { Json } from '../schema/records.ts';
import { SESSION_FIELDS, type SessionField } from '../schema/session.ts';
import type { StoredKind } from '../upkeep.ts';
import type { Row } from './engine.ts';

/**
 * Records as JSON (`body`) with a hash. Queries use the columns: the key, the time, the project, and other fields as
 * text; `a.b` is a nested field.
 */
export type Table = { readonly name: string; readonly key: string; readonly fields: readonly string[] };

function table(name: string, key: string, ...fields: readonly string[]): Table {
  return { name, key: columnName(key), fields: [key, 'at', 'project', ...fields] };
}

/** A new kind of record is one entry here and one in `schema/records.ts`. */
export const KEYED = {
  ratings: table('rating', 'ratingId', 'kind', 'subjectId', 'author'),
  approvals: table('approval', 'approvalId', 'runId'),
  alerts: table('alert', 'alertId', 'instrument', 'subject', 'rule'),
  'alert-events': table('alert_event', 'eventId', 'alertId', 'state', 'until'),
  feedback: table('feedback', 'feedbackId', 'instrument', 'outputId', 'runId'),
  audit: table('audit', 'auditId', 'who', 'tokenId', 'what', 'target'),
  deliveries: table('delivery', 'deliveryId', 'target'),
  'delivery-attempts': table('delivery_attempt', 'attemptId', 'deliveryId', 'outcome'),
  decompositions: table(
    'decomposition',
    'id',
    ...['promptVersion', 'model', 'topic', 'status', 'experiment.id', 'sample.stratum'],
  ),
  'decomposition-texts': table('decomposition_text', 'id'),
} as const satisfies Readonly<Record<Exclude<StoredKind, 'runs' | 'sessions'>, Table>>;

/** Its cases are JSON in a column of their own: they are most of it, and few queries need them. */
export const RUN = table('run', 'runId', 'instrument', 'subject', 'scorer', 'truthHash', 'hasErrors');

export function columnName(field: string): string {
  return snakeCase(field).replace('.', '_');
}

/** `a, b, c` */
function columnsOf(fields: readonly string[]): string {
  return fields.map(columnName).join(', ');
}

/** Columns of a table of records, in the order of `valuesOf`. */
export function recordColumns({ fields }: Table): string {
  return `${columnsOf(fields)}, body, content_hash`;
}

export function valuesOf({ fields }: Table, record: object): (string | null)[] {
  const body = canonicalJson(record);
  return [...fields.map((field) => textAt(record, field)), body, digest('sha256', body)];
}

function textAt(record: object, path: string): string | null {
  const value = path.split('.').reduce<unknown>((one, key) => (one as Properties | undefined)?.[key], record);
  return value === undefined ? null : String(value);
}

type Properties = Readonly<Record<string, unknown>>;

/**
 * The record of a row with these columns. With `includeAltered` an altered record is returned as it is, with its
 * original hash.
 */
export function recordOf<R extends object>(
  address: string,
  table: Table,
  row: Row,
  includeAltered = false,
): R {
  const { length } = table.fields;
  const [body = '', hash = ''] = row.slice(length, length + 2).map(String);
  if (digest('sha256', body) === hash) {
    const record = parseJson(address, table.name, 'body', body) as unknown as R;
    if (table.fields.every((field, i) => textAt(record, field) === (row[i] ?? null))) return record;
  }
  if (!includeAltered) throw damaged(address, table.name, 'contentHash');
  const standing = table.fields.map((field, i) => [field, row[i] ?? undefined] as const);
  return { ...parsedOr(body, {}), ...Object.fromEntries(standing), alteredFrom: hash } as unknown as R;
}

function parsedOr(text: string, otherwise: object): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return otherwise;
  }
}

/** What many sessions have in common: questions are narrowed and grouped by it. */
const GROUP_NAMES: ReadonlySet<string> = new Set([
  'source',
  'agent',
  'taskType',
  'model',
  'otherModels',
  'project',
  'scorerVersion',
  'weights',
  'baselineSet',
  'prices',
]);
export const GROUP_FIELDS = SESSION_FIELDS.filter(({ name }) => GROUP_NAMES.has(name));
/** What is a session's own, without its facts. */
export const OWN_FIELDS = SESSION_FIELDS.filter(({ name }) => !GROUP_NAMES.has(name));

export function sessionColumns(fields: readonly SessionField[]): string {
  return columnsOf(fields.map(({ name }) => name));
}

export function sessionValues(fields: readonly SessionField[], row: object): (string | number | null)[] {
  const values = row as Readonly<Record<string, string | number | undefined>>;
  return fields.map(({ name }) => values[name] ?? null);
}

/** Every value is checked: the store may have been damaged, or written by another program. */
export function sessionOfRow<R>(address: string, row: Row): R {
  const record: Record<string, unknown> = {};
  for (const [i, { name, kind, optional }] of SESSION_FIELDS.entries()) {
    const value = row[i] ?? null;
    const isFit = kind === 'number' ? Number.isFinite(value) : typeof value === 'string';
    if (isFit) record[name] = value;
    else if (value !== null || !optional) throw damaged(address, 'session', name);
  }
  return record as R;
}

export function parseJson(address: string, table: string, field: string, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw damaged(address, table, field, cause);
  }
}

export function damaged(address: string, table: string, field: string, cause?: unknown): AssayError {
  const message = `${address} is damaged: ${table}.${columnName(field)} holds what Assay never writes`;
  return new AssayError('STORE_CORRUPT', message, { cause });
}

export function isDamage(error: unknown): error is AssayError {
  return error instanceof AssayError && error.code === 'STORE_CORRUPT';
}
