/** What is asked of the intake table, the same for both databases. */
import type { Intake, IntakePart, StreamName, StreamPart, StreamState } from '../intake.ts';
import { type Engine, Where } from './engine.ts';

export const INTAKE_COLUMNS = ['project', 'stream', 'key', 'position', 'length', 'content'] as const;

/** Streams to which nothing was added since a time in milliseconds. */
export function untouchedStreams(table: string, before: string): string {
  return `SELECT project, stream FROM ${table} GROUP BY project, stream HAVING max(received_at) < ${before}`;
}

export async function countUntouched(engine: Engine, before: string): Promise<number> {
  const where = new Where(engine.dialect);
  const old = untouchedStreams('intake', where.mark(Date.parse(before)));
  const [row] = await engine.all(`SELECT count(*) FROM (${old}) AS old`, where.values);
  return Number(row?.[0]);
}

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

  async streams(withinMs?: number): Promise<{ now: number; streams: readonly StreamState[] }> {
    // Asked first: what comes in between is found by the next look as well.
    const now = await this.now();
    const where = new Where(this.engine.dialect);
    if (withinMs !== undefined)
      where.and(
        '(project, stream) IN (SELECT project, stream FROM intake WHERE received_at >= ?)',
        now - withinMs,
      );
    const rows = await this.engine.all(
      `SELECT project, stream, sum(length > 0), max(received_at),
         max(CASE WHEN length = 0 THEN received_at ELSE 0 END)
       FROM ${this.#table}${where.sql} GROUP BY project, stream ORDER BY project, stream`,
      where.values,
    );
    return { now, streams: rows.map(stateOf) };
  }

  async parts(name: StreamName): Promise<readonly StreamPart[]> {
    const where = this.#in(name).and('length > ?', 0);
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

  async bytes(): Promise<number> {
    const [row] = await this.engine.all('SELECT sum(length) FROM intake');
    return Number(row?.[0] ?? 0);
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
