/** Between records and rows: columns from the list of fields, values in its order. */
import { AssayError } from '../../errors.ts';
import type { Field } from '../fields.ts';
import type { ServerPlace } from './address.ts';
import type { RowValues } from './connection.ts';

export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function toValues(fields: readonly Field[], record: object): unknown[] {
  const values = record as Readonly<Record<string, unknown>>;
  return fields.map(({ name, kind }) => {
    const value = values[name];
    if (value === undefined) return null;
    return kind === 'json' ? JSON.stringify(value) : value;
  });
}

/** Every value is checked: others may write to the same database. */
export function fromRow<R>(place: ServerPlace, table: string, fields: readonly Field[], row: RowValues): R {
  const record: Record<string, unknown> = {};
  for (const [i, field] of fields.entries()) {
    const value = row[i] ?? null;
    if (value !== null) record[field.name] = readValue(place, table, field, value);
    else if (!field.optional) throw damaged(place, table, field.name);
  }
  return record as R;
}

function readValue(place: ServerPlace, table: string, field: Field, value: unknown): unknown {
  if (field.kind === 'number') {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  } else if (typeof value === 'string') {
    if (field.kind === 'json') return readJson(place, table, field.name, value);
    if (field.oneOf === undefined || Object.hasOwn(field.oneOf, value)) return value;
  }
  throw damaged(place, table, field.name);
}

export function readJson(place: ServerPlace, table: string, field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(place, table, field, cause);
  }
}

export function damaged({ address }: ServerPlace, table: string, field: string, cause?: unknown): AssayError {
  const message = `${address} is damaged: ${table}.${columnName(field)} holds what Assay never writes`;
  return new AssayError('STORE_CORRUPT', message, { cause });
}
