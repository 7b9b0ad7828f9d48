/** Between records and rows: column names and statements from the list of fields, values in its order. */
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { AssayError } from '../../errors.ts';
import { withoutSlash } from '../../named-project.ts';
import type { Field } from '../fields.ts';
import type { Connection, SqlRow } from './connection.ts';

export type Table = {
  readonly name: string;
  readonly fields: readonly Field[];
  /** `a, b, c` */
  readonly columns: string;
};

export function defineTable(name: string, fields: readonly Field[]): Table {
  return { name, fields, columns: fields.map((field) => columnName(field.name)).join(', ') };
}

export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `known` names the key whose second arrival changes nothing; `more` are columns beside the fields. */
export function insertInto(table: Table, more: readonly string[], known?: string): string {
  const columns = [...more, table.columns].join(', ');
  const marks = [...more, ...table.fields].map(() => '?').join(', ');
  const conflict = known === undefined ? '' : ` ON CONFLICT (${known}) DO NOTHING`;
  return `INSERT INTO ${table.name} (${columns}) VALUES (${marks})${conflict}`;
}

export function toValues(table: Table, record: object): SQLInputValue[] {
  const values = record as Readonly<Record<string, unknown>>;
  return table.fields.map(({ name, kind }) => {
    const value = values[name];
    if (value === undefined) return null;
    return kind === 'json' ? JSON.stringify(value) : (value as string | number);
  });
}

/** Every value is checked: the file may have been damaged or written by somebody else. */
export function fromRow<R>(connection: Connection, table: Table, row: SqlRow): R {
  const record: Record<string, unknown> = {};
  for (const [i, field] of table.fields.entries()) {
    const value = row[i] ?? null;
    if (value !== null) record[field.name] = readValue(connection, table, field, value);
    else if (!field.optional) throw damaged(connection, table.name, field.name);
  }
  return record as R;
}

function readValue(connection: Connection, table: Table, field: Field, value: SQLOutputValue): unknown {
  if (field.kind === 'number') {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  } else if (typeof value === 'string') {
    if (field.kind === 'json') return readJson(connection, table.name, field.name, value);
    if (field.oneOf === undefined || Object.hasOwn(field.oneOf, value)) return value;
  }
  throw damaged(connection, table.name, field.name);
}

function readJson(connection: Connection, table: string, field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(connection, table, field, cause);
  }
}

export function damaged(connection: Connection, table: string, field: string, cause?: unknown): AssayError {
  const message = `${connection.path} is damaged: ${table}.${columnName(field)} holds what Assay never writes`;
  return new AssayError('STORE_CORRUPT', message, { cause });
}

/** ` WHERE a = ? AND b >= ?` from what the query names; nothing from an empty query. */
export class Where {
  readonly #conditions: string[] = [];
  readonly values: SQLInputValue[] = [];

  and(condition: string, value: string | number | undefined): this {
    if (value !== undefined) {
      this.#conditions.push(condition);
      this.values.push(value);
    }
    return this;
  }

  /** A condition with several values. */
  andAll(condition: string, values: readonly SQLInputValue[]): this {
    this.#conditions.push(condition);
    this.values.push(...values);
    return this;
  }

  when(applies: boolean, condition: string): this {
    if (applies) this.#conditions.push(condition);
    return this;
  }

  /** As `isNamedProject` has it. */
  inProjects(column: string, names: readonly string[] | undefined): this {
    if (names === undefined) return this;
    const ends = names.map(withoutSlash).flatMap((name) => [name, `/${name}`, `\\${name}`]);
    const same = ends.map((_, i) => (i % 3 === 0 ? `${column} = ?` : `substr(${column}, -length(?)) = ?`));
    const values = ends.flatMap((end, i) => (i % 3 === 0 ? [end] : [end, end]));
    return this.andAll(names.length === 0 ? '0' : `(${same.join(' OR ')})`, values);
  }

  get sql(): string {
    return this.#conditions.length === 0 ? '' : ` WHERE ${this.#conditions.join(' AND ')}`;
  }
}
