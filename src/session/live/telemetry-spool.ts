/**
 * Spans and log records that were received, on the disk: a file for each conversation, and one for each program and day for
 * what names none. Files of one conversation are read as one, so nothing depends on which of them a record is in. The same
 * record is kept once, however often it is sent.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { hashKey } from '../ingest/duplicates/entry-keys.ts';
import { remember } from '../ingest/formats/bounded-map.ts';
import { openSpoolFile, type SpoolFile } from './spool-file.ts';
import type { TelemetryRecord } from './telemetry.ts';

/** Traces and conversations whose file is remembered. */
const REMEMBERED = 50_000;
const OPEN_FILES = 64;
const NAME_CHARS = 60;

type OpenSpool = {
  readonly file: SpoolFile;
  readonly seen: Set<number>;
  /** Records that are being written: whoever sends them again waits for that. */
  readonly writing: Map<number, Promise<unknown>>;
  users: number;
};

export class TelemetrySpool {
  readonly #folder: string;
  readonly #places: Map<string, string> = new Map();
  readonly #open = new Map<string, Promise<OpenSpool>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Resolves with the files that grew, when all records are on the disk. `day`: what names nobody is kept by it. */
  async append(records: readonly TelemetryRecord[], day: string): Promise<readonly string[]> {
    const byPath = Map.groupBy(records, (record) => this.#pathOf(record, day));
    const grown = await Promise.all([...byPath].map(([path, some]) => this.#appendTo(path, some)));
    return grown.flatMap((path) => path ?? []);
  }

  /** Before somebody else removes the file. */
  async forget(path: string): Promise<void> {
    const opening = this.#open.get(path);
    this.#open.delete(path);
    await (await opening?.catch(() => undefined))?.file.close();
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const one of open) await (await one.catch(() => undefined))?.file.close();
  }

  /** A trace stays where it began, and a conversation where its first trace is. */
  #pathOf({ kind, trace, conversation, service }: TelemetryRecord, day: string): string {
    const names = [
      ...(trace === undefined ? [] : [`trace ${trace}`]),
      ...(conversation === undefined
        ? []
        : [`${kind === 'agent' ? 'agent' : 'conversation'} ${conversation}`]),
    ];
    const known = names.map((name) => this.#places.get(name)).find((path) => path !== undefined);
    const place = known ?? this.#newPath(kind, conversation, service, day);
    for (const name of names) remember(this.#places, name, place, REMEMBERED);
    return place;
  }

  #newPath(
    kind: TelemetryRecord['kind'],
    conversation: string | undefined,
    service: string,
    day: string,
  ): string {
    const folder = kind === 'agent' ? 'logs' : 'traces';
    const name = conversation ?? `${service} ${day}`;
    return join(this.#folder, folder, `${fileName(name)}.jsonl`);
  }

  async #appendTo(path: string, records: readonly TelemetryRecord[]): Promise<string | undefined> {
    const spool = await this.#opened(path);
    try {
      const underWay = () => records.flatMap(({ hash }) => spool.writing.get(hash) ?? []);
      for (let waits = underWay(); waits.length > 0; waits = underWay()) await Promise.all(waits);
      const fresh = records.filter(({ hash }) => !spool.seen.has(hash));
      if (fresh.length === 0) return undefined;
      await write(spool, fresh);
      return path;
    } finally {
      spool.users -= 1;
      await this.#closeSome();
    }
  }

  async #opened(path: string): Promise<OpenSpool> {
    const known = this.#open.get(path) ?? openWithHashes(path);
    // Moved to the end: the first one is the one untouched for longest.
    this.#open.delete(path);
    this.#open.set(path, known);
    try {
      const spool = await known;
      spool.users += 1;
      return spool;
    } catch (error) {
      this.#open.delete(path);
      throw error;
    }
  }

  async #closeSome(): Promise<void> {
    for (const [path, opening] of this.#open) {
      if (this.#open.size <= OPEN_FILES) return;
      const spool = await opening.catch(() => undefined);
      if (spool !== undefined && spool.users > 0) continue;
      if (this.#open.get(path) === opening) this.#open.delete(path);
      await spool?.file.close();
    }
  }
}

async function write({ file, seen, writing }: OpenSpool, records: readonly TelemetryRecord[]): Promise<void> {
  const once = [...new Map(records.map((record) => [record.hash, record])).values()];
  const written = file.append(Buffer.from(once.map(({ line }) => `${line}\n`).join('')));
  for (const { hash } of once) writing.set(hash, written);
  try {
    await written;
    for (const { hash } of once) seen.add(hash);
  } finally {
    for (const { hash } of once) writing.delete(hash);
  }
}

async function openWithHashes(path: string): Promise<OpenSpool> {
  const file = await openSpoolFile(path);
  const seen = new Set<number>();
  for await (const line of file.lines()) seen.add(hashKey(line));
  return { file, seen, writing: new Map(), users: 0 };
}

/** As people can recognise it, and nobody else's: names come from outside. */
export function fileName(name: string): string {
  const readable = name
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, NAME_CHARS);
  return `${readable}-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}
