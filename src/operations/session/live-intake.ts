/** What agents and programs send while they are at work: kept on the disk first, then read like any other transcript. */
import { globSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { makeOwnFolder } from '../../own-folder.ts';
import type { OtlpSpan } from '../../session/ingest/formats/otlp/span.ts';
import { EventSpool, type KeptLines, type SentLines } from '../../session/live/event-spool.ts';
import { projectFolder } from '../../session/live/project-folder.ts';
import { decodeTelemetry, type TelemetryKind, telemetryRecords } from '../../session/live/telemetry.ts';
import { TelemetrySpool } from '../../session/live/telemetry-spool.ts';

export type { KeptLines, SentLines, TelemetryKind };

export type ReceivedTelemetry = {
  /** Spans without an identity: they are not kept. */
  readonly rejected: number;
  /** Records that say nothing about a conversation: nobody would read them. */
  readonly passedOver: number;
  /** Requests of a service in production, which are kept elsewhere. */
  readonly requests: readonly OtlpSpan[];
};

export type IntakeEvents = {
  /** These files grew. */
  readonly onGrown: (paths: readonly string[]) => void;
  /** Whoever sent the lines of this file says that the session has ended. */
  readonly onEnded: (path: string) => void;
};

const DAY_MS = 86_400_000;
/** Somebody may have made room: so often that is looked at again. */
const COUNTED_AGAIN_MS = 5000;

type Spools = { readonly telemetry: TelemetrySpool; readonly events: EventSpool };

export class LiveIntake {
  readonly folder: string;
  /** By project. */
  readonly #spools = new Map<string | undefined, Spools>();
  readonly #on: IntakeEvents;
  readonly #mostBytes: number;
  #bytes = 0;
  #countedAt = Number.NEGATIVE_INFINITY;

  /** `folder` is this person's alone: what is said in sessions is in it, and may take `mostBytes`. */
  constructor(folder: string, on: IntakeEvents, mostBytes = Number.POSITIVE_INFINITY) {
    if (!makeOwnFolder(folder))
      throw new AssayError('OUTPUT_FAILED', `${folder} cannot be made, or others may write to it`);
    this.folder = folder;
    this.#on = on;
    this.#mostBytes = mostBytes;
    this.#count();
  }

  /** Resolves when everything is on the disk. */
  async telemetry(
    kind: TelemetryKind,
    encoding: 'protobuf' | 'json',
    bytes: Buffer,
    now: Date,
    project?: string,
  ): Promise<ReceivedTelemetry> {
    const document = decodeTelemetry(bytes, kind, encoding);
    if (document === undefined)
      throw new AssayError('REQUEST_INVALID', `the body is no OTLP request of ${kind} in ${encoding}`);
    const { records, rejected, passedOver, requests } = telemetryRecords(document, kind);
    const length = records.reduce((sum, { line }) => sum + Buffer.byteLength(line) + 1, 0);
    const grown = await this.#within(length, () =>
      this.#of(project).telemetry.append(records, now.toISOString().slice(0, 10)),
    );
    if (grown.length > 0) this.#on.onGrown(grown);
    return { rejected, passedOver, requests };
  }

  /** Resolves when everything is on the disk. */
  async lines(sent: SentLines, hasEnded: boolean): Promise<KeptLines> {
    const kept = await this.#within(sent.bytes.length, () => this.#of(sent.project).events.append(sent));
    if (hasEnded) this.#on.onEnded(kept.path);
    else if (kept.added > 0) this.#on.onGrown([kept.path]);
    return kept;
  }

  /** Removes what nothing was added to for so many days, and gives the number of files. */
  async prune(days: number, now: Date): Promise<number> {
    let removed = 0;
    for (const name of globSync('**/*.jsonl', { cwd: this.folder })) {
      const path = join(this.folder, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined || now.getTime() - stats.mtimeMs < days * DAY_MS) continue;
      for (const { telemetry, events } of this.#spools.values()) {
        await telemetry.forget(path);
        await events.forget(path);
      }
      rmSync(path, { force: true });
      rmSync(path.replace(/\.jsonl$/, '.ids'), { force: true });
      removed += 1;
    }
    this.#count();
    return removed;
  }

  async close(): Promise<void> {
    for (const { telemetry, events } of this.#spools.values()) {
      await telemetry.close();
      await events.close();
    }
  }

  #of(project: string | undefined): Spools {
    const folder = join(this.folder, ...projectFolder(project));
    const spools = this.#spools.get(project) ?? {
      telemetry: new TelemetrySpool(join(folder, 'otlp')),
      events: new EventSpool(join(folder, 'events')),
    };
    this.#spools.set(project, spools);
    return spools;
  }

  /** What is being written counts; what was there already is counted twice until all is counted again. */
  async #within<T>(bytes: number, write: () => Promise<T>): Promise<T> {
    const isFull = () => this.#bytes + bytes > this.#mostBytes;
    if (isFull() && performance.now() - this.#countedAt > COUNTED_AGAIN_MS) this.#count();
    if (isFull())
      throw new AssayError(
        'SPOOL_FULL',
        `${this.folder} holds ${this.#bytes} bytes of what was sent, and may hold ${this.#mostBytes}`,
      );
    this.#bytes += bytes;
    try {
      return await write();
    } catch (error) {
      this.#bytes -= bytes;
      throw error;
    }
  }

  #count(): void {
    const files = globSync('**/*.{jsonl,ids}', { cwd: this.folder });
    const sizes = files.map(
      (name) => statSync(join(this.folder, name), { throwIfNoEntry: false })?.size ?? 0,
    );
    this.#bytes = sizes.reduce((sum, size) => sum + size, 0);
    this.#countedAt = performance.now();
  }
}
