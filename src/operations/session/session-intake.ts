/**
 * Receives sessions from agents and programs while they work. Lines are acknowledged once they are in the intake table
 * of the store, and then read like any other transcript, by every server on that store.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { AssayError } from '../../errors.ts';
import { remember } from '../../session/ingest/formats/bounded-map.ts';
import type { OtlpSpan } from '../../session/ingest/formats/otlp/span.ts';
import { openStream, pathOfStream, streamOfPath } from '../../session/live/sent-streams.ts';
import {
  decodeTelemetry,
  type TelemetryKind,
  type TelemetryRecord,
  type TelemetryRecords,
  telemetryRecords,
} from '../../session/live/telemetry.ts';
import {
  type Intake,
  type IntakePart,
  PLACED,
  type StreamName,
  type StreamState,
} from '../../store/intake.ts';

export type SentLines = {
  readonly session: string;
  /** The project of the lines; absent: the session itself states its folder. */
  readonly project?: string | undefined;
  readonly bytes: Buffer;
  /** The byte offset of these lines in the session. */
  readonly offset?: number | undefined;
  /** A repeated id adds nothing; lines with an offset are compared instead. */
  readonly id?: string | undefined;
};

/** The total length of the session's lines in bytes, and how many of them are new. */
export type StoredLines = { readonly length: number; readonly added: number };

export type ReceivedTelemetry = {
  /** Spans without an id: they are not stored. */
  readonly rejected: number;
  /** Records that are not part of a conversation. */
  readonly skipped: number;
  /** Requests of a production service, which are stored elsewhere. */
  readonly requests: readonly OtlpSpan[];
};

export type IntakeNews = {
  /** Streams with new parts, or deleted ones (no parts). */
  readonly onStreams: (streams: readonly StreamState[]) => void;
  /** A client reported the end of the session of this stream. */
  readonly onEnded: (path: string) => void;
  readonly onFailure: (why: string) => void;
};

const LOOK_MS = 500;
/** Also reads rows this much older than the last look, because a batch may have been in flight. */
const OVERLAP_MS = 30_000;
/** The interval for a look at all streams, which finds missed and deleted ones. */
const SWEEP_MS = 600_000;
/** The interval for checking whether a full store has room again. */
const COUNT_AGAIN_MS = 5000;
/** Agents split a batch into several requests: wait this long, then read them together. */
const TOGETHER_MS = 20;
/** How many traces and conversations stay mapped to their stream. */
const MAX_PLACES = 50_000;

type Waiting = {
  readonly parts: readonly IntakePart[];
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
};

export class SessionIntake {
  readonly #intake: Intake;
  readonly #mostBytes: number;
  readonly #news: IntakeNews;
  /** One request at a time per session, because each must know the length of the stream. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #seen = new Map<string, StreamState>();
  readonly #places = new Map<string, string>();
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #bytes = 0;
  #countedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #lookedAt = 0;
  #sweptAt = 0;
  #isStopped = false;

  constructor(intake: Intake, mostBytes: number, news: IntakeNews) {
    this.#intake = intake;
    this.#mostBytes = mostBytes;
    this.#news = news;
  }

  get isShared(): boolean {
    return this.#intake.isShared;
  }

  /** All streams, and the paths of those that ended recently. From now on changes are reported. */
  async begin(
    endedWithinMs: number,
  ): Promise<{ readonly streams: readonly StreamState[]; readonly ended: readonly string[] }> {
    this.#lookedAt = this.#sweptAt = performance.now();
    const { now, streams } = await this.#intake.streams();
    for (const one of streams) this.#seen.set(pathOfStream(one), one);
    const late = streams.filter(({ endedAt = 0 }) => endedAt >= now - endedWithinMs);
    this.#lookIn(LOOK_MS);
    return { streams, ended: late.map(pathOfStream) };
  }

  async telemetry(
    kind: TelemetryKind,
    encoding: 'protobuf' | 'json',
    bytes: Buffer,
    now: Date,
    project?: string,
  ): Promise<ReceivedTelemetry> {
    const { records, rejected, skipped, requests } = readTelemetry(kind, encoding, bytes);
    const day = now.toISOString().slice(0, 10);
    // In the order of arrival.
    const first = now.getTime() * 1000;
    await this.#append(
      records.map((record, index) => ({
        project,
        stream: this.#streamOf(record, day, project),
        key: `record ${hashOf(record.line)}`,
        position: first + index,
        content: Buffer.from(`${record.line}\n`),
      })),
    );
    return { rejected, skipped, requests };
  }

  async lines(sent: SentLines, hasEnded: boolean): Promise<StoredLines> {
    checkLines(sent);
    const key = pathOfStream(streamOfLines(sent));
    const before = this.#turns.get(key) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(() => this.#lines(sent, hasEnded));
    this.#turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key);
    }
  }

  /** Acknowledged lines stay. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await this.#writing;
  }

  async #lines(sent: SentLines, hasEnded: boolean): Promise<StoredLines> {
    const name = streamOfLines(sent);
    const { bytes, id } = sent;
    if (sent.offset !== undefined) {
      const placed = await this.#place(name, sent);
      if (hasEnded) await this.#append([endOf(name, placed.length)]);
      return placed;
    }
    const position = await this.#intake.reach(name);
    const key = id === undefined ? randomUUID() : `id ${id}`;
    const isStored = bytes.length === 0 || (id !== undefined && (await this.#intake.has(name, key)));
    const added = isStored ? 0 : bytes.length;
    const length = position + added;
    await this.#append([
      ...(isStored ? [] : [{ ...name, key, position, content: bytes }]),
      ...(hasEnded ? [endOf(name, length)] : []),
    ]);
    return { length, added };
  }

  /** If another server was faster, its lines are compared with these like any stored ones. */
  async #place(name: StreamName, sent: SentLines): Promise<StoredLines> {
    for (;;) {
      const length = await this.#intake.reach(name);
      const content = await this.#after(name, length, sent);
      if (content.length === 0) return { length, added: 0 };
      const key = `${PLACED}${length}`;
      await this.#append([{ ...name, key, position: length, content }]);
      const stored = (await this.#intake.contents(name, [key])).get(key);
      if (stored !== undefined && content.equals(stored))
        return { length: length + content.length, added: content.length };
    }
  }

  /**
   * A trace stays in its first stream, and a conversation in the stream of its first trace. Streams of one conversation
   * are read as one.
   */
  #streamOf(record: TelemetryRecord, day: string, project = ''): string {
    const { kind, trace, conversation, service } = record;
    const names = [
      ...(trace === undefined ? [] : [`${project}\ntrace ${trace}`]),
      ...(conversation === undefined ? [] : [`${project}\n${kind === 'agent' ? kind : ''} ${conversation}`]),
    ];
    const known = names.map((name) => this.#places.get(name)).find((place) => place !== undefined);
    const folder = kind === 'agent' ? 'logs' : 'traces';
    const stream = known ?? `otlp/${folder}/${streamName(conversation ?? `${service} ${day}`)}`;
    for (const name of names) remember(this.#places, name, stream, MAX_PLACES);
    return stream;
  }

  /** The bytes that are not in the stream yet. Those already there must be equal. */
  async #after(name: StreamName, length: number, { bytes, offset = 0 }: SentLines): Promise<Buffer> {
    if (offset > length)
      throw new AssayError(
        'STORE_CONFLICT',
        `the session has ${length} bytes, but these lines begin at ${offset}`,
        { remedy: `Send them from ${length} on.` },
      );
    const known = bytes.subarray(0, length - offset);
    if (known.length === 0) return bytes;
    const input = await openStream(this.#intake, pathOfStream(name));
    let at = 0;
    for await (const chunk of input?.chunks(offset) ?? []) {
      const some = chunk.subarray(0, known.length - at);
      if (!some.equals(known.subarray(at, at + some.length)))
        throw new AssayError('STORE_CONFLICT', `the session has different lines at ${offset}`, {
          remedy: `Acknowledged lines stay; send new lines from ${length} on.`,
        });
      at += some.length;
      if (at >= known.length) break;
    }
    return bytes.subarray(known.length);
  }

  /** Lines that arrive while a batch is written go into the next one: each batch is one transaction. */
  async #append(parts: readonly IntakePart[]): Promise<void> {
    if (parts.length === 0) return;
    const bytes = parts.reduce((sum, { content }) => sum + content.length, 0);
    await this.#makeSure(bytes);
    await new Promise<void>((done, fail) => {
      this.#waiting.push({ parts, done, fail });
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined;
      });
    });
    this.#bytes += bytes;
    this.#lookIn(TOGETHER_MS);
  }

  async #write(): Promise<void> {
    await setImmediate();
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0);
      try {
        await this.#intake.append(some.flatMap(({ parts }) => parts));
        for (const { done } of some) done();
      } catch (error) {
        for (const { fail } of some) fail(error);
      }
    }
  }

  /** Fails when there is no room for this many bytes. */
  async #makeSure(bytes: number): Promise<void> {
    const isFull = () => this.#bytes + bytes > this.#mostBytes;
    const isOld = performance.now() - this.#countedAt > (isFull() ? COUNT_AGAIN_MS : SWEEP_MS);
    if (isOld) {
      this.#bytes = await this.#intake.bytes();
      this.#countedAt = performance.now();
    }
    if (isFull())
      throw new AssayError(
        'INTAKE_FULL',
        `sent sessions use ${this.#bytes} bytes of the store, and the limit is ${this.#mostBytes}`,
      );
  }

  #lookIn(ms: number): void {
    if (this.#isStopped || this.#lookedAt === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#looking = this.#looking
        .then(() => this.#look())
        .catch((error) => this.#news.onFailure(String(error)))
        // Only this process writes to a store that is not shared.
        .finally(() => this.#lookIn(this.isShared ? LOOK_MS : SWEEP_MS));
    }, ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    if (this.#isStopped) return;
    const start = performance.now();
    const isSweep = start - this.#sweptAt >= SWEEP_MS;
    const within = isSweep ? undefined : start - this.#lookedAt + OVERLAP_MS;
    const { streams } = await this.#intake.streams(within);
    const found = new Map(streams.map((one) => [pathOfStream(one), one]));
    const gone = isSweep ? [...this.#seen.keys()].filter((path) => !found.has(path)) : [];
    const changed: StreamState[] = [];
    const ended: string[] = [];
    for (const [path, now] of found) {
      const before = this.#seen.get(path);
      if (before?.parts !== now.parts) changed.push(now);
      if ((now.endedAt ?? 0) > (before?.endedAt ?? 0)) ended.push(path);
      this.#seen.set(path, now);
    }
    for (const path of gone) {
      const name = streamOfPath(path);
      if (name !== undefined) changed.push({ ...name, parts: 0, receivedAt: 0 });
      this.#seen.delete(path);
    }
    this.#lookedAt = start;
    if (isSweep) this.#sweptAt = start;
    if (changed.length > 0) this.#news.onStreams(changed);
    for (const path of ended) this.#news.onEnded(path);
  }
}

const NOTHING = Buffer.alloc(0);

function endOf(name: StreamName, position: number): IntakePart {
  return { ...name, key: `end ${position}`, position, content: NOTHING };
}

const SESSION_ID = /^[\w][\w.@:+-]{0,127}$/;
const EVENT_ID = /^[\x21-\x7e]{1,200}$/;

function checkLines({ session, bytes, id }: SentLines): void {
  if (!SESSION_ID.test(session) || session.includes('..'))
    throw new AssayError(
      'REQUEST_INVALID',
      'the id of a session has up to 128 letters, digits and . _ - + @ :',
    );
  if (id !== undefined && !EVENT_ID.test(id))
    throw new AssayError('REQUEST_INVALID', 'an event id has up to 200 characters, without spaces');
  if (bytes.length > 0 && bytes.at(-1) !== 0x0a)
    throw new AssayError('REQUEST_INVALID', 'every line must end with a newline: the last one does not');
}

function readTelemetry(kind: TelemetryKind, encoding: 'protobuf' | 'json', bytes: Buffer): TelemetryRecords {
  const document = decodeTelemetry(bytes, kind, encoding);
  if (document === undefined)
    throw new AssayError('REQUEST_INVALID', `the body is not an OTLP request of ${kind} in ${encoding}`);
  return telemetryRecords(document, kind);
}

function streamOfLines({ project, session }: SentLines): StreamName {
  return { project, stream: `events/${session}` };
}

const NAME_CHARS = 60;

/** A recognisable but private name, because names come from outside. */
function streamName(name: string): string {
  const readable = name
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, NAME_CHARS);
  return `${readable}-${hashOf(name).slice(0, 16)}`;
}

function hashOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 40);
}
