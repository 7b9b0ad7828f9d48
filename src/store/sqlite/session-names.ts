/**
 * The names that many sessions have in common, each kept once: a row has the number of its label (kind of work, agent,
 * model, tier, and what it was scored with) and that of its project, which are many more.
 */
import { crc32 } from 'node:zlib';
import type { SessionRow } from '../session-row.ts';
import type { Connection, SqlRow } from './connection.ts';
import { damaged } from './table.ts';

/** In this order in the file: add to the end. */
export const LABEL_FIELDS = [
  'taskType',
  'model',
  'agent',
  'source',
  'tier',
  'otherModels',
  'specialCase',
  'scorerVersion',
  'weights',
  'baselineSet',
  'prices',
] as const satisfies readonly (keyof SessionRow)[];

export type SessionLabel = Pick<SessionRow, (typeof LABEL_FIELDS)[number]>;

const [LABEL, PROJECT] = [0, 1];
const FIND = 'SELECT id FROM session_name WHERE kind = ? AND names = ?';
const ADD = 'INSERT INTO session_name (kind, names, checksum) VALUES (?, ?, ?)';
const READ = 'SELECT id, kind, names, checksum FROM session_name';

/** Names → numbers, while a transaction writes: what was added is forgotten with it where it fails. */
export class NameNumbers {
  readonly #connection: Connection;
  readonly #known = new Map<string, number>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  label(row: SessionLabel): number {
    return this.#numberOf(LABEL, JSON.stringify(LABEL_FIELDS.map((name) => row[name] ?? null)));
  }

  project(project: string | undefined): number | null {
    return project === undefined ? null : this.#numberOf(PROJECT, project);
  }

  #numberOf(kind: number, names: string): number {
    const key = `${kind}${names}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = this.#connection.get(FIND, [kind, names])?.[0];
    const id =
      typeof found === 'number'
        ? found
        : this.#connection.run(ADD, [kind, names, checksumOf(kind, names)]).id;
    this.#known.set(key, id);
    return id;
  }
}

function checksumOf(kind: unknown, names: string): number {
  return crc32(`${kind} ${names}`);
}

const remembered = new WeakMap<Connection, { names: SessionNames; rollbacks: number }>();

/** A number is never given to other names, so what was read once is remembered. */
export function namesIn(connection: Connection): SessionNames {
  const { rollbacks } = connection;
  const known = remembered.get(connection);
  if (known?.rollbacks === rollbacks) return known.names;
  const names = new SessionNames(connection);
  remembered.set(connection, { names, rollbacks });
  return names;
}

/** Narrowings of which the labels are remembered. */
const MOST_REMEMBERED = 50;

/** Numbers → names. */
class SessionNames {
  readonly #connection: Connection;
  readonly #labels = new Map<unknown, SessionLabel>();
  readonly #projects = new Map<unknown, string>();
  /** All labels up to this one are known; later ones have higher numbers. */
  #lastLabel = 0;
  #lastProject = 0;
  readonly #fitting = new Map<string, { readonly labels: readonly number[] | undefined }>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Undefined: it is not what was written. */
  label(id: unknown): SessionLabel | undefined {
    if (!this.#labels.has(id)) this.#read(`${READ} WHERE id = ?`, [Number(id)]);
    return this.#labels.get(id);
  }

  project(id: unknown): string | undefined {
    if (!this.#projects.has(id)) this.#read(`${READ} WHERE id = ?`, [Number(id)]);
    return this.#projects.get(id);
  }

  /** Of the labels that fit; undefined when all do. What is asked for again under the same name is remembered. */
  labelsThat(fits: (label: SessionLabel) => boolean, named?: string): readonly number[] | undefined {
    const rows = this.#read(`${READ} WHERE kind = ${LABEL} AND id > ?`, [this.#lastLabel], true);
    for (const [id] of rows) this.#lastLabel = Math.max(this.#lastLabel, Number(id));
    // Some were read one by one before.
    if (rows.length > 0) this.#fitting.clear();
    const known = named === undefined ? undefined : this.#fitting.get(named);
    if (known !== undefined) return known.labels;
    const fitting = [...this.#labels].filter(([, label]) => fits(label)).map(([id]) => Number(id));
    const labels = fitting.length === this.#labels.size ? undefined : fitting;
    if (this.#fitting.size >= MOST_REMEMBERED) this.#fitting.clear();
    if (named !== undefined) this.#fitting.set(named, { labels });
    return labels;
  }

  /** Numbers and names of the projects that fit. */
  projectsThat(fits: (project: string) => boolean): readonly (readonly [number: number, name: string])[] {
    this.#read(`${READ} WHERE kind = ${PROJECT} AND id > ?`, [this.#lastProject], true);
    for (const id of this.#projects.keys()) this.#lastProject = Math.max(this.#lastProject, Number(id));
    return [...this.#projects].flatMap(([id, name]) => (fits(name) ? [[Number(id), name] as const] : []));
  }

  #read(sql: string, values: readonly number[], mustBeWhole = false): readonly SqlRow[] {
    const rows = this.#connection.all(sql, values);
    for (const [id, kind, names, checksum] of rows) {
      if (typeof names === 'string' && checksum === checksumOf(kind, names)) {
        if (kind === PROJECT) this.#projects.set(id, names);
        else this.#labels.set(id, labelOf(names));
      } else if (mustBeWhole) throw damaged(this.#connection, 'session_name', 'names');
    }
    return rows;
  }
}

function labelOf(names: string): SessionLabel {
  const values = JSON.parse(names) as readonly (string | null)[];
  const known = LABEL_FIELDS.flatMap((name, i) => (values[i] == null ? [] : [[name, values[i]]]));
  return Object.fromEntries(known) as SessionLabel;
}
