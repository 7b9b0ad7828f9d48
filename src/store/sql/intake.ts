/** Queries of the intake table, the same for both databases. */
import type { Intake, IntakePart, PartPlace, StreamName, StreamPart, StreamState } from '../intake.ts';
import { type Engine, Where } from './engine.ts';

export const INTAKE_COLUMNS = ['project', 'stream', 'key', 'position', 'length', 'content'] as const;

export abstract class SqlIntake implements Intake {
  abstract readonly isShared: boolean;
  protected readonly engine: Engine;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  abstract append(parts: readonly IntakePart[]): Promise<void>;
  /** Milliseconds since 1970, by the clock that dates the rows. */
  protected abstract now(): Promise<number>;
  /** A content as it is selected, and as the bytes that were sent. */
  protected abstract unpack(content: unknown): Uint8Array;
  /** A row for each stream: project, stream, parts, bytes, reach, touched_at, ended_at. `narrowed`: of which parts, at least. */
  protected abstract summary(narrowed: string): string;

  async streams(withinMs?: number): Promise<{ now: number; streams: readonly StreamState[] }> {
    // Asked first: what comes in between is found by the next look as well.
    const now = await this.now();
    const where = new Where(this.engine.dialect).and('touched_at >= ?', now - (withinMs ?? now));
    const since = where.mark(now - (withinMs ?? now));
    const narrowed = `(project, stream) IN (SELECT project, stream FROM intake WHERE received_at >= ${since})`;
    const rows = await this.engine.all(
      `SELECT project, stream, parts, touched_at, ended_at
       FROM ${this.summary(withinMs === undefined ? '1 = 1' : narrowed)}${where.sql} ORDER BY project, stream`,
      where.values,
    );
    return { now, streams: rows.map(stateOf) };
  }

  async parts(name: StreamName, after?: PartPlace): Promise<readonly StreamPart[]> {
    const where = this.#in(name)
      .and('length > ?', 0)
      .and('(position > ? OR (position = ? AND key > ?))', after?.position, after?.position, after?.key);
    const rows = await this.engine.all(
      `SELECT key, position, length FROM ${this.#table}${where.sql} ORDER BY position, key`,
      where.values,
    );
    return rows.map(([key, position, length]) => ({
      key: String(key),
      position: Number(position),
      length: Number(length),
    }));
  }

  async contents(name: StreamName, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const where = this.#in(name).and('key IN ?', keys);
    const rows = await this.engine.all(`SELECT key, content FROM ${this.#table}${where.sql}`, where.values);
    return new Map(rows.map(([key, content]) => [String(key), this.unpack(content)]));
  }

  async reach(name: StreamName): Promise<number> {
    const where = this.#in(name);
    const sql = `SELECT reach FROM ${this.summary(where.condition)}${where.sql}`;
    const [row] = await this.engine.all(sql, where.values);
    return Number(row?.[0] ?? 0);
  }

  async has(name: StreamName, key: string): Promise<boolean> {
    const where = this.#in(name).and('key = ?', key);
    return (await this.engine.all(`SELECT 1 FROM intake${where.sql} LIMIT 1`, where.values)).length > 0;
  }

  async bytes(): Promise<number> {
    const [row] = await this.engine.all(`SELECT sum(bytes) FROM ${this.summary('1 = 1')}`);
    return Number(row?.[0] ?? 0);
  }

  /** Streams to which nothing was added since then. */
  async countOlder(before: string): Promise<number> {
    const where = new Where(this.engine.dialect).and('touched_at < ?', Date.parse(before));
    const sql = `SELECT count(*) FROM ${this.summary('1 = 1')}${where.sql}`;
    return Number((await this.engine.all(sql, where.values))[0]?.[0]);
  }

  get #table(): string {
    return this.engine.dialect.current('intake');
  }

  #in({ project = '', stream }: StreamName): Where {
    return new Where(this.engine.dialect).and('project = ?', project).and('stream = ?', stream);
  }
}

function stateOf([project, stream, parts, receivedAt, endedAt]: readonly unknown[]): StreamState {
  return {
    ...(project !== '' && { project: String(project) }),
    stream: String(stream),
    parts: Number(parts),
    receivedAt: Number(receivedAt),
    ...(Number(endedAt) > 0 && { endedAt: Number(endedAt) }),
  };
}
