/** What the questions of `sql-store.ts` need of a database. SQLite and ClickHouse answer the same statements. */
import { withoutSlash } from '../../named-project.ts';
import type { InProjects } from '../session-narrowing.ts';

export type Value = string | number | readonly string[];
export type Values = Readonly<Record<string, Value>>;
/** The values of the columns that were selected, in that order. */
export type Row = readonly unknown[];

/** Where the two write the same thing in different words. */
export type Dialect = {
  /** The placeholder of a named value in a statement. A list is used with IN. */
  readonly parameter: (name: string, value: Value) => string;
  /** A table without replaced rows. */
  readonly current: (table: string) => string;
  /** Whether a text has another in it, and whether it ends with it. */
  readonly contains: (text: string, part: string) => string;
  readonly endsWith: (text: string, end: string) => string;
  /** A text in lower case, letters of every script. */
  readonly lower: (text: string) => string;
  /** A long text (facts, cases) as it was stored; undefined where it is damaged. */
  readonly unpack: (value: unknown) => string | undefined;
  /** How often each bin occurs in a group, of texts such as `,12,230`: a text of the same form, or JSON of counts. */
  readonly countBins: (bins: string) => string;
  readonly sessions: SessionTables;
};

/** Where sessions are stored: SQLite has repeated names, and facts, in separate tables. */
type SessionTables = {
  /** What leads to a session soonest. */
  readonly key: string;
  /** For questions about columns of the session alone; `order` names an index for it. */
  readonly keys: (order?: string) => string;
  readonly summaries: string;
  readonly whole: string;
  /** The shared names by `group_id`, and the rollup by day and group, where the database has them. */
  readonly groups?: string;
  readonly days?: string;
  /** A condition about the names of a session (source, agent, model, project …). */
  readonly named: (condition: string) => string;
};

export type Engine = {
  /** As a user would type it. */
  readonly address: string;
  readonly dialect: Dialect;
  readonly all: (sql: string, values?: Values) => Promise<readonly Row[]>;
  /** One row after the other, all of the moment of the question. */
  readonly iterate: (sql: string, values?: Values) => AsyncIterable<Row>;
};

/** ` WHERE a = :p0 AND …` from what a query names, and the values for it. */
export class Where {
  readonly #dialect: Dialect;
  readonly #conditions: string[] = [];
  readonly #values: Record<string, Value>;
  readonly #prefix: string;

  /** Two in one statement have names of their own. */
  constructor(dialect: Dialect, prefix = 'p', values: Record<string, Value> = {}) {
    this.#dialect = dialect;
    this.#prefix = prefix;
    this.#values = values;
  }

  /** `condition` has a `?` for each value; it is skipped where a value is undefined. */
  and(condition: string, ...values: readonly (Value | undefined)[]): this {
    if (values.some((value) => value === undefined)) return this;
    let used = 0;
    this.#conditions.push(condition.replace(/\?/g, () => this.mark(values[used++] as Value)));
    return this;
  }

  when(applies: boolean, condition: string): this {
    if (applies) this.#conditions.push(condition);
    return this;
  }

  /** As `isNamedProject` has it. */
  inProjects({ inProjects: names, isExact }: InProjects): this {
    if (names === undefined) return this;
    if (isExact)
      return this.when(names.length === 0, '1 = 0').and(
        'project IN ?',
        names.length === 0 ? undefined : names,
      );
    const column = 'project';
    const { endsWith } = this.#dialect;
    const project = `coalesce(${column}, '')`;
    const ways = names
      .map(withoutSlash)
      .flatMap((name) => [
        `${project} = ${this.mark(name)}`,
        endsWith(project, this.mark(`/${name}`)),
        endsWith(project, this.mark(`\\${name}`)),
      ]);
    return this.when(true, ways.length === 0 ? '1 = 0' : `${column} IS NOT NULL AND (${ways.join(' OR ')})`);
  }

  mark(value: Value): string {
    const name = `${this.#prefix}${Object.keys(this.#values).length}`;
    this.#values[name] = value;
    return this.#dialect.parameter(name, value);
  }

  /** A sub-condition that shares the values of this one. */
  nested(): Where {
    return new Where(this.#dialect, this.#prefix, this.#values);
  }

  get values(): Values {
    return this.#values;
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0;
  }

  /** `a AND b` */
  get condition(): string {
    return this.isEmpty ? '1 = 1' : this.#conditions.join(' AND ');
  }

  get sql(): string {
    return this.isEmpty ? '' : ` WHERE ${this.condition}`;
  }
}
