/**
 * Lines of transcripts that were sent, one file for each session. Whoever sends says where in the file they belong, or gives
 * them an id: then sending them again changes nothing, whatever became of the answer.
 *
 * Ids are written before the lines, with the place these will have; an id whose lines never came is taken back.
 */
import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { openSpoolFile, type SpoolFile } from './spool-file.ts';
import { fileName } from './telemetry-spool.ts';

export type SentLines = {
  readonly session: string;
  /** That it is sent for; absent: it says itself where it was at work. */
  readonly project?: string | undefined;
  readonly bytes: Buffer;
  /** Bytes of this session's lines that come before these. */
  readonly offset?: number | undefined;
  readonly id?: string | undefined;
};

export type KeptLines = {
  readonly path: string;
  /** Bytes there are now. */
  readonly length: number;
  /** Bytes that were new. */
  readonly added: number;
};

type OpenEvents = {
  readonly file: SpoolFile;
  readonly journal: SpoolFile;
  readonly ids: Map<string, number>;
};

const OPEN_SESSIONS = 64;
const SESSION_ID = /^[\w][\w.@:+-]{0,127}$/;
const EVENT_ID = /^[\x21-\x7e]{1,200}$/;

export class EventSpool {
  readonly #folder: string;
  readonly #open = new Map<string, Promise<OpenEvents>>();
  /** Of one session one after the other: each must know how long the file is. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async append(sent: SentLines): Promise<KeptLines> {
    check(sent);
    const before = this.#turns.get(sent.session) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(() => this.#append(sent));
    this.#turns.set(sent.session, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(sent.session) === turn) this.#turns.delete(sent.session);
      await this.#closeSome();
    }
  }

  /** Where the lines of a session are. */
  pathOf(session: string): string {
    // The file has the name of the session, which may be the only one it has.
    return join(this.#folder, fileName(session).slice(-16), `${session.replaceAll(':', '-')}.jsonl`);
  }

  /** Before somebody else removes the file. */
  async forget(path: string): Promise<void> {
    for (const [session, opening] of this.#open) {
      if (this.pathOf(session) !== path) continue;
      this.#open.delete(session);
      await closeEvents(await opening.catch(() => undefined));
    }
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const one of open) await closeEvents(await one.catch(() => undefined));
  }

  async #append({ session, bytes, offset, id }: SentLines): Promise<KeptLines> {
    const events = await this.#opened(session);
    const { file, journal, ids } = events;
    const { path } = file;
    if (id !== undefined && ids.has(id)) return { path, length: file.length, added: 0 };
    const fresh = offset === undefined ? bytes : await afterKnown(file, bytes, offset);
    if (fresh.length > 0) {
      if (id !== undefined) await journal.append(Buffer.from(`${file.length} ${fresh.length} ${id}\n`));
      await file.append(fresh);
    }
    if (id !== undefined) ids.set(id, file.length);
    return { path, length: file.length, added: fresh.length };
  }

  #opened(session: string): Promise<OpenEvents> {
    const known = this.#open.get(session) ?? openEvents(this.pathOf(session));
    this.#open.delete(session);
    this.#open.set(session, known);
    known.catch(() => this.#open.delete(session));
    return known;
  }

  async #closeSome(): Promise<void> {
    for (const [session, opening] of this.#open) {
      if (this.#open.size <= OPEN_SESSIONS) return;
      if (this.#turns.has(session)) continue;
      this.#open.delete(session);
      await closeEvents(await opening.catch(() => undefined));
    }
  }
}

function check({ session, bytes, id }: SentLines): void {
  if (!SESSION_ID.test(session) || session.includes('..'))
    throw new AssayError(
      'REQUEST_INVALID',
      'the id of a session has up to 128 letters, digits and . _ - + @ :',
    );
  if (id !== undefined && !EVENT_ID.test(id))
    throw new AssayError('REQUEST_INVALID', 'the id of an event has up to 200 signs, without blanks');
  if (bytes.length > 0 && bytes.at(-1) !== 0x0a)
    throw new AssayError('REQUEST_INVALID', 'every line must have its end: the last one has none');
}

/** What of the bytes is not in the file yet. What is there already must be the same. */
async function afterKnown(file: SpoolFile, bytes: Buffer, offset: number): Promise<Buffer> {
  if (offset > file.length)
    throw new AssayError(
      'STORE_CONFLICT',
      `${file.length} bytes of this session are here, and these begin at ${offset}`,
      { remedy: `Send them from ${file.length} on.` },
    );
  const known = await file.read(offset, bytes.length);
  if (!known.equals(bytes.subarray(0, known.length)))
    throw new AssayError('STORE_CONFLICT', `other lines of this session are at ${offset}`, {
      remedy: `What was acknowledged stays; send new lines from ${file.length} on.`,
    });
  return bytes.subarray(known.length);
}

async function openEvents(path: string): Promise<OpenEvents> {
  const file = await openSpoolFile(path);
  const journal = await openSpoolFile(path.replace(/\.jsonl$/, '.ids'));
  const ids = new Map<string, number>();
  let length = 0;
  for await (const line of journal.lines()) {
    const [start = '', size = '', id = ''] = line.split(' ');
    const end = Number(start) + Number(size);
    // The process died between the id and its lines: neither was acknowledged.
    if (end > file.length) {
      if (file.length > Number(start)) await file.cut(Number(start));
      await journal.cut(length);
      break;
    }
    ids.set(id, end);
    length += Buffer.byteLength(line) + 1;
  }
  return { file, journal, ids };
}

async function closeEvents(events: OpenEvents | undefined): Promise<void> {
  await events?.file.close();
  await events?.journal.close();
}
