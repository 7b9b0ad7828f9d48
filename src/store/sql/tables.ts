/** The tables of flat records, and what stands between records and rows: columns and values follow the list of fields. */
import { AssayError } from '../../errors.ts';
import { contentHash } from '../canonical.ts';
import {
  ALERT_EVENT_FIELDS,
  ALERT_FIELDS,
  APPROVAL_FIELDS,
  AUDIT_FIELDS,
  DECOMPOSITION_FIELDS,
  DECOMPOSITION_TEXT_FIELDS,
  DELIVERY_ATTEMPT_FIELDS,
  DELIVERY_FIELDS,
  FEEDBACK_FIELDS,
  type Field,
  RATING_FIELDS,
  SESSION_FIELDS,
} from '../fields.ts';
import { RUN_FIELDS } from '../run-fields.ts';
import type { StoredKind } from '../upkeep.ts';
import type { Row } from './engine.ts';

export type Table = { readonly name: string; readonly fields: readonly Field[] };

/** Each has its key first, a time `at`, and the hash of its content. A new kind of record is one entry here. */
export const KEYED = {
  ratings: { name: 'rating', fields: RATING_FIELDS },
  approvals: { name: 'approval', fields: APPROVAL_FIELDS },
  alerts: { name: 'alert', fields: ALERT_FIELDS },
  'alert-events': { name: 'alert_event', fields: ALERT_EVENT_FIELDS },
  feedback: { name: 'feedback', fields: FEEDBACK_FIELDS },
  audit: { name: 'audit', fields: AUDIT_FIELDS },
  deliveries: { name: 'delivery', fields: DELIVERY_FIELDS },
  'delivery-attempts': { name: 'delivery_attempt', fields: DELIVERY_ATTEMPT_FIELDS },
  decompositions: { name: 'decomposition', fields: DECOMPOSITION_FIELDS },
  'decomposition-texts': { name: 'decomposition_text', fields: DECOMPOSITION_TEXT_FIELDS },
} as const satisfies Readonly<Record<Exclude<StoredKind, 'runs' | 'sessions'>, Table>>;

/** A run is one row: its metrics and cases are JSON, so that it is there whole or not at all. */
export const RUN: Table = {
  name: 'run',
  fields: [
    ...RUN_FIELDS,
    { name: 'metrics', kind: 'json', optional: false },
    { name: 'caseCount', kind: 'number', optional: false },
    { name: 'hasErrors', kind: 'number', optional: false },
  ],
};

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
export const SUMMARY: Table = {
  name: 'session',
  fields: SESSION_FIELDS.filter(({ name }) => name !== 'facts'),
};
/** What is a session's own, without its facts. */
export const OWN_FIELDS = SUMMARY.fields.filter(({ name }) => !GROUP_NAMES.has(name));

export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `a, b, c` */
export function columnsOf(fields: readonly Field[]): string {
  return fields.map(({ name }) => columnName(name)).join(', ');
}

export function keyColumn({ fields }: Table): string {
  return columnName(fields[0]?.name ?? '');
}

export function toValues(fields: readonly Field[], record: object): (string | number | null)[] {
  const values = record as Readonly<Record<string, unknown>>;
  return fields.map(({ name, kind }) => {
    const value = values[name];
    if (value === undefined) return null;
    return kind === 'json' ? JSON.stringify(value) : (value as string | number);
  });
}

/** Every value is checked: the store may have been damaged, or written by another program. */
export function fromRow<R>(address: string, { name: table, fields }: Table, row: Row): R {
  const record: Record<string, unknown> = {};
  for (const [i, field] of fields.entries()) {
    const value = row[i] ?? null;
    if (value !== null) record[field.name] = readValue(address, table, field, value);
    else if (!field.optional) throw damaged(address, table, field.name);
  }
  return record as R;
}

function readValue(address: string, table: string, field: Field, value: unknown): unknown {
  if (field.kind === 'number') {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  } else if (typeof value === 'string') {
    if (field.kind === 'json') return parseJson(address, table, field.name, value);
    if (field.oneOf === undefined || Object.hasOwn(field.oneOf, value)) return value;
  }
  throw damaged(address, table, field.name);
}

export function parseJson(address: string, table: string, field: string, text: string): unknown {
  try {
    return JSON.parse(text);
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

/**
 * A record of a row that has its content hash last. Where it is not as it was written and `altered` asks for such: what
 * stands in the row, with the hash that it was written with.
 */
export function recordOf<R extends object>(address: string, table: Table, row: Row, altered?: 'told'): R {
  const hash = row[table.fields.length];
  try {
    const record = fromRow<R>(address, table, row);
    if (contentHash(record) !== hash) throw damaged(address, table.name, 'contentHash');
    return record;
  } catch (error) {
    if (altered === undefined || !isDamage(error)) throw error;
    return { ...whatStands(table.fields, row), alteredFrom: String(hash) } as unknown as R;
  }
}

function whatStands(fields: readonly Field[], row: Row): Record<string, unknown> {
  const values = fields.flatMap(({ name, kind, optional }, i) => {
    const value = row[i] ?? undefined;
    if (value === undefined && optional) return [];
    return [[name, kind === 'number' ? Number(value) || 0 : String(value ?? '')] as const];
  });
  return Object.fromEntries(values);
}
