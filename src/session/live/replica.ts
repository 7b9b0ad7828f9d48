/** What all servers were sent, as files on this machine: made from the store, and gone with the process. */
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { makeOwnFolder } from '../../own-folder.ts';
import { ReplicaFile, type SentPart } from './replica-file.ts';

export type Grown = { readonly path: string; readonly receivedAt: number };

type Entry = { readonly path: string; receivedAt: number; bytes: number; parts: ReplicaFile | undefined };

/** Files whose parts are remembered; those of others are asked for again when something is added. */
const REMEMBERED = 5000;
const NAME = /^(?:of\/[0-9a-f]+\/)?[\w-]+(?:\/[\w.@+-]+){1,3}\.jsonl$/;
/** Several machines may have one folder. */
const OWNED = `${hostname().replace(/[^\w]+/g, '-')}-`;
/** Of this process. */
const IN_USE = new Set<string>();

export class Replica {
  /** Where transcripts are. */
  readonly folder: string;
  readonly #root: string;
  readonly #files = new Map<string, Entry>();
  /** The one untouched for longest is the first. */
  readonly #remembered = new Set<string>();
  readonly #waiting = new Set<string>();
  #bytes = 0;

  /** `within` is this person's alone. What processes left behind that are no more is removed. */
  constructor(within: string) {
    if (!makeOwnFolder(within))
      throw new AssayError('OUTPUT_FAILED', `${within} cannot be made, or others may write to it`);
    for (const name of globSync('*', { cwd: within }))
      if (isLeft(name)) rmSync(join(within, name), { recursive: true, force: true });
    this.#root = mkdtempSync(join(within, `${OWNED}${process.pid}-`));
    IN_USE.add(basename(this.#root));
    this.folder = join(this.#root, 'files');
    mkdirSync(this.folder, { mode: 0o700 });
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Files with parts that something is waited for before. */
  get waiting(): readonly string[] {
    return [...this.#waiting];
  }

  /** When the latest part of each file was received. */
  get received(): readonly Grown[] {
    return [...this.#files.values()].map(({ path, receivedAt }) => ({ path, receivedAt }));
  }

  /** Its parts, where they are remembered. */
  partsOf(file: string): ReplicaFile | undefined {
    return this.#files.get(file)?.parts;
  }

  pathOf(file: string): string {
    if (!NAME.test(file) || file.includes('..'))
      throw new AssayError('STORE_CORRUPT', `${JSON.stringify(file)} is no name that Assay gives a file`);
    return join(this.folder, file);
  }

  /** Undefined: the file is what it was, and was received when it was. Where parts are not remembered, all must be given. */
  async add(file: string, parts: readonly SentPart[], now: number): Promise<Grown | undefined> {
    const path = this.pathOf(file);
    const entry = this.#files.get(file) ?? { path, receivedAt: 0, bytes: 0, parts: undefined };
    entry.parts ??= new ReplicaFile(path, join(this.#root, 'being-written'));
    try {
      const isOther = await entry.parts.add(parts, now);
      if (entry.parts.isWaiting) this.#waiting.add(file);
      else this.#waiting.delete(file);
      const receivedAt = Math.max(entry.receivedAt, entry.parts.receivedAt);
      const isNews = isOther || receivedAt > entry.receivedAt;
      this.#bytes += entry.parts.length - entry.bytes;
      entry.receivedAt = receivedAt;
      entry.bytes = entry.parts.length;
      this.#files.set(file, entry);
      this.#remember(file);
      return isNews ? { path, receivedAt } : undefined;
    } catch (error) {
      // What of it is on the disk is not known any more.
      entry.parts = undefined;
      throw error;
    }
  }

  /** Something that is there was sent again. */
  heard(file: string, receivedAt: number): Grown | undefined {
    const entry = this.#files.get(file);
    if (entry === undefined || entry.receivedAt >= receivedAt) return undefined;
    entry.receivedAt = receivedAt;
    return { path: entry.path, receivedAt };
  }

  /** Removes files to which nothing was added since a time. */
  prune(before: number): void {
    for (const [file, { path, receivedAt, bytes }] of this.#files) {
      if (receivedAt >= before) continue;
      rmSync(path, { force: true });
      this.#files.delete(file);
      this.#waiting.delete(file);
      this.#remembered.delete(file);
      this.#bytes -= bytes;
    }
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true });
    IN_USE.delete(basename(this.#root));
  }

  #remember(file: string): void {
    this.#remembered.delete(file);
    this.#remembered.add(file);
    const [longest] = this.#remembered;
    if (this.#remembered.size <= REMEMBERED || longest === undefined || this.#waiting.has(longest)) return;
    this.#remembered.delete(longest);
    const entry = this.#files.get(longest);
    if (entry !== undefined) entry.parts = undefined;
  }
}

/** Processes of a container have the same number again and again. */
function isLeft(name: string): boolean {
  const pid = name.startsWith(OWNED) ? Number.parseInt(name.slice(OWNED.length), 10) : Number.NaN;
  if (Number.isNaN(pid) || IN_USE.has(name)) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
