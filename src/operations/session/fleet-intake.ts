/**
 * What agents send to one of several servers over one store: it is acknowledged when the store has it, sealed, and every server
 * makes the same files of what all of them were sent. So any of them may be sent anything, in any order, and none of them has
 * anything that is lost with it.
 */
import { randomUUID } from 'node:crypto';
import { AssayError } from '../../errors.ts';
import { checkLines, eventsFile, type KeptLines, type SentLines } from '../../session/live/event-spool.ts';
import { ownTime } from '../../session/live/line-order.ts';
import { LineSeal } from '../../session/live/line-seal.ts';
import { projectFolder } from '../../session/live/project-folder.ts';
import { type Grown, Replica } from '../../session/live/replica.ts';
import type { SentPart } from '../../session/live/replica-file.ts';
import type { TelemetryKind, TelemetryRecord } from '../../session/live/telemetry.ts';
import { fileName } from '../../session/live/telemetry-spool.ts';
import type { SentLog, SentNote, SentRecord } from '../../store/sent-log.ts';
import { type Intake, type ReceivedTelemetry, readTelemetry } from './live-intake.ts';

export type FleetEvents = {
  readonly onGrown: (files: readonly Grown[]) => void;
  /** Whoever sent the lines of this file says that the session has ended. */
  readonly onEnded: (path: string) => void;
  readonly onFailure: (why: string) => void;
};

export type FleetChoices = {
  readonly log: SentLog;
  /** What all servers seal with, and the variable that it comes from. */
  readonly keys: { readonly secrets: string; readonly variable: string };
  /** Files are made in a folder of their own in this one. */
  readonly within: string;
  readonly mostBytes: number;
  readonly on: FleetEvents;
};

const LOOK_MS = 500;
/** What the store dated so long ago may only be seen now: a batch was on its way. */
const OVERLAP_MS = 5000;
/** And once in a while what took longer. */
const SWEEP_EVERY_MS = 30_000;
const SWEEP_MS = 600_000;
const DAY_MS = 86_400_000;
const READ_TOGETHER = 8_000_000;

const ID = 'id ';
const END = 'end ';

export class FleetIntake implements Intake {
  readonly #log: SentLog;
  readonly #seal: LineSeal;
  readonly #replica: Replica;
  readonly #mostBytes: number;
  readonly #on: FleetEvents;
  /** Ends that were told. */
  readonly #ended = new Map<string, number>();
  /** Parts that no key here opens: they are said once. */
  readonly #closed = new Set<string>();
  #working: Promise<unknown> = Promise.resolve();
  #looking: Promise<unknown> = Promise.resolve();
  #isLookDue = false;
  #looks: NodeJS.Timeout | undefined;
  #now = 0;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor({ log, keys, within, mostBytes, on }: FleetChoices) {
    this.#log = log;
    this.#seal = new LineSeal(keys.secrets, keys.variable);
    this.#replica = new Replica(within);
    this.#mostBytes = mostBytes;
    this.#on = on;
  }

  /** When the latest part of each file was received, by the clock of the store. */
  get received(): readonly Grown[] {
    return this.#replica.received;
  }

  get folder(): string {
    return this.#replica.folder;
  }

  /** Makes files of all that the store has. Gives those that were said to have ended lately. */
  async begin(endedSinceMs: number): Promise<readonly string[]> {
    const { now, notes } = await this.#log.news();
    this.#now = now;
    // In turns: whoever sends something meanwhile need not wait for all of it.
    for (const some of portions(notes.filter((note) => !isEnd(note))))
      await this.#inTurn(() => this.#addAll(some));
    const ends = notes.filter(isEnd);
    for (const end of ends) this.#ended.set(nameOf(end), end.receivedAt);
    const late = ends.filter(({ receivedAt }) => receivedAt >= now - endedSinceMs);
    return [...new Set(late.map(({ file }) => this.#replica.pathOf(file)))];
  }

  /** Looks for what others were sent, again and again. */
  start(): void {
    this.#lookIn(0);
  }

  async telemetry(
    kind: TelemetryKind,
    encoding: 'protobuf' | 'json',
    bytes: Buffer,
    now: Date,
    project?: string,
  ): Promise<ReceivedTelemetry> {
    const { records, rejected, passedOver, requests } = readTelemetry(kind, encoding, bytes);
    const day = now.toISOString().slice(0, 10);
    await this.#append(records.map((record) => this.#recordOf(record, day, project)));
    return { rejected, passedOver, requests };
  }

  async lines(sent: SentLines, hasEnded: boolean): Promise<KeptLines> {
    checkLines(sent);
    const { session, bytes, offset, id, project } = sent;
    const file = [...projectFolder(project), 'events', ...eventsFile(session)].join('/');
    await this.#catchUp(file);
    const path = this.#replica.pathOf(file);
    const parts = this.#replica.partsOf(file);
    const [length, unbroken] = [parts?.length ?? 0, parts?.unbroken ?? 0];
    const hash = this.#seal.hashOf(bytes);
    const key =
      offset !== undefined ? `at ${offset} ${hash}` : id === undefined ? `new ${randomUUID()}` : `${ID}${id}`;
    const missing =
      offset === undefined || parts === undefined ? bytes.length : await parts.missing(bytes, offset);
    if (missing === undefined)
      throw new AssayError('STORE_CONFLICT', `other lines of this session are at ${offset}`, {
        remedy: `What was acknowledged stays; send new lines from ${unbroken} on.`,
      });
    const added = offset === undefined && parts?.hasKey(key) === true ? 0 : missing;
    const records: SentRecord[] = [];
    if (added > 0) records.push(this.#sealed(file, key, hash, bytes, offset));
    if (hasEnded) {
      const mark = `${END}${length + added}`;
      records.push(this.#sealed(file, mark, this.#seal.hashOf(mark), Buffer.alloc(0)));
    }
    await this.#append(records);
    const reaches = offset === undefined || offset <= unbroken;
    return {
      path,
      length: offset === undefined ? length + added : reaches ? unbroken + added : unbroken,
      added,
    };
  }

  /** Removes what nothing was added to for so many days, here and in the store. */
  async prune(days: number): Promise<void> {
    await this.#log.prune(days);
    if (this.#now > 0) this.#replica.prune(this.#now - days * DAY_MS);
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#looks);
    await this.#looking;
    await this.#working.catch(() => {});
    this.#replica.close();
  }

  #recordOf(record: TelemetryRecord, day: string, project: string | undefined): SentRecord {
    const bytes = Buffer.from(`${record.line}\n`);
    const hash = this.#seal.hashOf(bytes);
    const file = [...projectFolder(project), telemetryFile(record, day)].join('/');
    return this.#sealed(file, `record ${hash}`, hash, bytes);
  }

  #sealed(file: string, key: string, hash: string, bytes: Buffer, offset?: number): SentRecord {
    const sealed = this.#seal.seal(bytes, `${file}\n${key}`);
    return { file, key, hash, length: bytes.length, sealed, ...(offset === undefined ? {} : { offset }) };
  }

  async #append(records: readonly SentRecord[]): Promise<void> {
    if (records.length === 0) return;
    const bytes = records.reduce((sum, { length }) => sum + length, 0);
    if (this.#replica.bytes + bytes > this.#mostBytes)
      throw new AssayError(
        'SPOOL_FULL',
        `all servers together were sent ${this.#replica.bytes} bytes, and may keep ${this.#mostBytes}`,
      );
    await this.#log.append(records);
    this.#lookIn(0);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#working.then(work, work);
    this.#working = turn.catch(() => {});
    return turn;
  }

  #lookIn(ms: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#looks);
    this.#looks = setTimeout(() => {
      // One that has not begun yet sees what this one would.
      if (this.#isLookDue) return;
      this.#isLookDue = true;
      this.#looking = this.#looking
        .then(() => {
          this.#isLookDue = false;
          return this.#look();
        })
        .catch((error) => this.#on.onFailure(String(error)))
        .finally(() => this.#lookIn(LOOK_MS));
    }, ms);
    this.#looks.unref();
  }

  async #look(): Promise<void> {
    if (this.#isStopped) return;
    const isSweep = this.#now - this.#sweptAt >= SWEEP_EVERY_MS;
    const { now, notes } = await this.#log.news(this.#now - (isSweep ? SWEEP_MS : OVERLAP_MS));
    await this.#inTurn(async () => {
      await this.#take(notes);
      // Only now: what could not be taken is looked for again.
      this.#now = now;
      if (isSweep) this.#sweptAt = now;
      await this.#waitNoLonger();
    });
  }

  /** Whatever there is of a file now. Many ask at once: only what is changed here waits for its turn. */
  async #catchUp(file: string): Promise<void> {
    const notes = (await this.#log.notesOf([file])).filter((note) => !isEnd(note));
    await this.#inTurn(async () => {
      const grown = await this.#addAll(notes);
      if (grown.length > 0) this.#on.onGrown(grown);
    });
  }

  async #take(notes: readonly SentNote[]): Promise<void> {
    const lines = notes.filter((note) => !isEnd(note));
    // Of files whose parts are not remembered there may be more than what is new.
    const files = [...new Set(lines.map(({ file }) => file))];
    const unknown = files.filter((file) => this.#replica.partsOf(file) === undefined);
    const whole = unknown.length === 0 ? [] : await this.#log.notesOf(unknown);
    const all = [...lines, ...whole.filter((note) => !isEnd(note))];
    const grown: Grown[] = [];
    for (const some of portions(all)) grown.push(...(await this.#addAll(some)));
    if (grown.length > 0) this.#on.onGrown(grown);
    for (const end of notes.filter(isEnd)) {
      if (!this.#ended.has(nameOf(end))) this.#on.onEnded(this.#replica.pathOf(end.file));
      this.#ended.set(nameOf(end), end.receivedAt);
    }
    // What is older is not told any more.
    for (const [name, receivedAt] of this.#ended)
      if (receivedAt < this.#now - 2 * SWEEP_MS) this.#ended.delete(name);
  }

  /** What follows on something that does not come is put in after a while. */
  async #waitNoLonger(): Promise<void> {
    const grown: Grown[] = [];
    for (const file of this.#replica.waiting)
      grown.push(...[await this.#replica.add(file, [], this.#now)].filter((one) => one !== undefined));
    if (grown.length > 0) this.#on.onGrown(grown);
  }

  /** Of each file either what is new, or everything. */
  async #addAll(notes: readonly SentNote[]): Promise<readonly Grown[]> {
    const isNew = (note: SentNote) => this.#replica.partsOf(note.file)?.has(note) !== true;
    const missing = [...new Map(notes.filter(isNew).map((note) => [nameOf(note), note])).values()];
    const read = missing.length === 0 ? [] : await this.#log.read(missing);
    const byFile = Map.groupBy(read, ({ file }) => file);
    const grown: Grown[] = [];
    for (const [file, noted] of Map.groupBy(notes, (note) => note.file)) {
      const parts = this.#opened(byFile.get(file) ?? []);
      const grew = parts.length === 0 ? undefined : await this.#replica.add(file, parts, this.#now);
      const again = this.#replica.heard(
        file,
        noted.reduce((at, one) => Math.max(at, one.receivedAt), 0),
      );
      const news = again ?? grew;
      if (news !== undefined) grown.push(news);
    }
    return grown;
  }

  #opened(records: readonly (SentRecord & SentNote)[]): SentPart[] {
    return records.flatMap(({ file, key, hash, offset, receivedAt, sealed }) => {
      const bytes = this.#seal.open(sealed, `${file}\n${key}`);
      if (bytes === undefined) {
        if (!this.#closed.has(file)) this.#on.onFailure(`${file} was sealed under a key that is not here`);
        this.#closed.add(file);
        return [];
      }
      const id = key.startsWith(ID) ? key.slice(ID.length) : undefined;
      return [{ key, hash, id, offset, receivedAt, bytes, at: ownTime(bytes) }];
    });
  }
}

/** Whole files, as many as are read at once. */
function* portions(notes: readonly SentNote[]): Generator<readonly SentNote[]> {
  let [some, bytes]: [SentNote[], number] = [[], 0];
  for (const noted of Map.groupBy(notes, ({ file }) => file).values()) {
    some = [...some, ...noted];
    for (const { length } of noted) bytes += length;
    if (bytes < READ_TOGETHER) continue;
    yield some;
    [some, bytes] = [[], 0];
  }
  if (some.length > 0) yield some;
}

function isEnd({ length }: SentNote): boolean {
  return length === 0;
}

function nameOf({ file, key, hash }: SentNote): string {
  return `${file}\n${key}\n${hash}`;
}

/** By what a record says of itself alone, so that all servers put it into the same file. */
function telemetryFile({ kind, trace, conversation, service }: TelemetryRecord, day: string): string {
  const folder = kind === 'agent' ? 'logs' : 'traces';
  const name = conversation ?? (trace === undefined ? `${service} ${day}` : `trace ${trace}`);
  return `otlp/${folder}/${fileName(name)}.jsonl`;
}
