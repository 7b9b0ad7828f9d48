/**
 * Records on their way to the server: a few in memory, more in a file when the server does not answer, and never more than
 * either may hold. What finds no room is counted.
 */
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';

/** A record as it is sent: one line of JSON. */
export type SentLine = string;

export type SpillChoices = {
  /** Where files are put; undefined: nowhere. */
  readonly folder: string | undefined;
  /** All bytes of this process. */
  readonly maxBytes: number;
};

/** Files of this process. */
const ours = new Set<string>();
let made = 0;

/** A file of lines of this process, in a folder that processes share. */
export class Spill {
  readonly #choices: SpillChoices;
  readonly #name: string;
  #bytes = 0;
  lines = 0;

  constructor(choices: SpillChoices, name = `${process.pid}-${Date.now().toString(36)}`) {
    this.#choices = choices;
    this.#name = `${name}-${++made}.jsonl`;
    ours.add(this.#name);
  }

  /** How many of the lines found room; at once and synchronously, so that it also works while the process ends. */
  add(lines: readonly SentLine[]): number {
    const { folder, maxBytes } = this.#choices;
    if (folder === undefined || lines.length === 0) return 0;
    let [fits, bytes] = [0, this.#bytes];
    for (const line of lines) {
      bytes += Buffer.byteLength(line) + 1;
      if (bytes > maxBytes) break;
      fits += 1;
    }
    if (fits === 0) return 0;
    try {
      makeFolder(folder, 0o700);
      const text = `${lines.slice(0, fits).join('\n')}\n`;
      writeWhole(join(folder, this.#name), text);
      this.#bytes += Buffer.byteLength(text);
      this.lines += fits;
      return fits;
    } catch {
      return 0;
    }
  }

  /** Everything that is in the file, which is gone then. Lines that a dying process left half are left out. */
  take(): readonly SentLine[] {
    const { folder } = this.#choices;
    if (folder === undefined || this.lines === 0) return [];
    const path = join(folder, this.#name);
    try {
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
    const { folder, maxBytes } = this.#choices;
    if (folder === undefined) return;
    for (const name of namesIn(folder)) {
      const pid = Number(/^(\d+)-/.exec(name)?.[1]);
      // In a container every process may have the same number.
      const isInUse = pid === process.pid ? ours.has(name) : isAlive(pid);
      if (!Number.isInteger(pid) || isInUse) continue;
      const mine = join(folder, `${this.#name}.taken`);
      try {
        if (this.#bytes + statSync(join(folder, name)).size > maxBytes) continue;
        // Whoever renames it first has it.
        renameSync(join(folder, name), mine);
        this.add(wholeLines(readFileSync(mine, 'utf8')));
        rmSync(mine);
      } catch {
        // Another process was first.
      }
    }
  }
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
    // Of somebody else, and there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
