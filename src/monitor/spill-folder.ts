/**
 * Records on their way to the server: a few in memory, more in a file when the server does not answer, and never more than
 * either may hold. Services with another address or token have another folder, so that nothing is ever sent to a server,
 * or with a token, that it was not meant for.
 */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { isOwnFile, isOwnFolder, makeOwnFolder } from '../own-folder.ts';

export type Destination = { readonly url: string; readonly token?: string | undefined };

/** Only the origin of `url` counts. */
export function recordsAddress(url: string): URL {
  return new URL('/api/v1/decompositions', url);
}

export class SpillFolder {
  readonly path: string;
  readonly #parent: string;

  /** Names are hashes: who may list the folders of others learns neither address nor token. */
  constructor(parent: string, { url, token = '' }: Destination) {
    // An address that is none never takes a record; its folder only has to be a different one.
    const address = URL.canParse('/', url) ? recordsAddress(url).href : url;
    this.#parent = parent;
    this.path = join(parent, `${hashOf(address).slice(0, 16)}-${hashOf(address, token).slice(0, 32)}`);
  }

  /** Creates the folder if needed. Checked each time: whoever can write there can read texts and send their own. */
  make(): boolean {
    return makeOwnFolder(this.#parent) && makeOwnFolder(this.path);
  }

  /** Whether records may be read from it. */
  get isOwn(): boolean {
    return isOwnFolder(this.#parent) && isOwnFolder(this.path);
  }

  /** The folder that another user owns or may write to; undefined when it is safe. */
  get unsafe(): string | undefined {
    return [this.#parent, this.path].find((path) => existsSync(path) && !isOwnFolder(path));
  }

  /** Folders for the same address and other tokens. */
  get ofOtherTokens(): readonly string[] {
    if (!isOwnFolder(this.#parent)) return [];
    const own = basename(this.path);
    const address = own.slice(0, own.indexOf('-') + 1);
    return readdirSync(this.#parent)
      .filter((name) => name.startsWith(address) && name !== own)
      .map((name) => join(this.#parent, name))
      .filter(isOwnFolder);
  }
}

function hashOf(...parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['assay monitor', ...parts]))
    .digest('hex');
}

export type SentLine = string;

export type SpillChoices = {
  /** In it each destination has a folder; undefined: records are put nowhere. */
  readonly folder: string | undefined;
  /** All bytes of this process. */
  readonly maxBytes: number;
};

const ours = new Set<string>();
let made = 0;

/** A file of lines of this process, in a folder that processes with the same destination share. */
export class Spill {
  readonly #folder: SpillFolder | undefined;
  readonly #maxBytes: number;
  readonly #name = `${process.pid}-${Date.now().toString(36)}-${++made}.jsonl`;
  #bytes = 0;
  lines = 0;

  constructor({ folder, maxBytes }: SpillChoices, destination: Destination) {
    this.#folder = folder === undefined ? undefined : new SpillFolder(folder, destination);
    this.#maxBytes = maxBytes;
    ours.add(this.#name);
  }

  /** A folder that is not used because it is not this person's alone. */
  get unsafe(): string | undefined {
    return this.#folder?.unsafe;
  }

  /** Where processes that are no more left records for the same address and another token. */
  get ofOtherTokens(): readonly string[] {
    return (this.#folder?.ofOtherTokens ?? []).filter((path) => namesIn(path).some(isLeft));
  }

  /** How many of the lines found room; at once and synchronously, so that it also works while the process ends. */
  add(lines: readonly SentLine[]): number {
    if (this.#folder === undefined || lines.length === 0) return 0;
    let [fits, bytes] = [0, this.#bytes];
    for (const line of lines) {
      bytes += Buffer.byteLength(line) + 1;
      if (bytes > this.#maxBytes) break;
      fits += 1;
    }
    if (fits === 0 || !this.#folder.make()) return 0;
    try {
      const text = `${lines.slice(0, fits).join('\n')}\n`;
      writeWhole(join(this.#folder.path, this.#name), text);
      this.#bytes += Buffer.byteLength(text);
      this.lines += fits;
      return fits;
    } catch {
      return 0;
    }
  }

  /** Returns everything in the file and deletes it. Skips lines that a dying process left half written. */
  take(): readonly SentLine[] {
    if (this.#folder === undefined || this.lines === 0) return [];
    const path = join(this.#folder.path, this.#name);
    try {
      if (!this.#folder.isOwn) return [];
      const lines = wholeLines(readFileSync(path, 'utf8'));
      rmSync(path, { force: true });
      return lines;
    } catch {
      return [];
    } finally {
      this.#bytes = 0;
      this.lines = 0;
    }
  }

  /** Takes over what processes left that are no more, as far as there is room. */
  adopt(): void {
    if (this.#folder?.isOwn !== true) return;
    const { path } = this.#folder;
    for (const name of namesIn(path).filter(isLeft)) {
      const [theirs, mine] = [join(path, name), join(path, `${this.#name}.taken`)];
      try {
        if (!isOwnFile(theirs) || this.#bytes + statSync(theirs).size > this.#maxBytes) continue;
        // Whoever renames it first has it.
        renameSync(theirs, mine);
        const lines = wholeLines(readFileSync(mine, 'utf8'));
        if (this.add(lines) === lines.length) rmSync(mine);
        else renameSync(mine, theirs);
      } catch {
        // Another process was first.
      }
    }
  }
}

/** The process that wrote the file is no more. */
function isLeft(name: string): boolean {
  const pid = Number(/^(\d+)-/.exec(name)?.[1]);
  // In a container every process may have the same number.
  return Number.isInteger(pid) && !(pid === process.pid ? ours.has(name) : isAlive(pid));
}

/** One write, so that a line is whole or not there. */
function writeWhole(path: string, text: string): void {
  const descriptor = openSync(path, 'a', 0o600);
  try {
    const bytes = Buffer.from(text);
    const written = writeSync(descriptor, bytes);
    if (written < bytes.length) appendFileSync(descriptor, bytes.subarray(written));
  } finally {
    closeSync(descriptor);
  }
}

function wholeLines(text: string): SentLine[] {
  return text.split('\n').filter((line) => {
    try {
      return line !== '' && typeof JSON.parse(line) === 'object';
    } catch {
      return false;
    }
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
