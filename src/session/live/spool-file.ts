/**
 * A file that lines are added to and that keeps them: what is acknowledged is on the disk. A line that was being written when
 * the process died was not acknowledged, and is taken away when the file is opened again.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AssayError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';

const LOOKED_AT = 64 * 1024;
const LINE_END = 0x0a;

type Waiting = {
  readonly bytes: Buffer;
  readonly done: (start: number) => void;
  readonly fail: (error: unknown) => void;
};

export class SpoolFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #length: number;

  constructor(path: string, handle: FileHandle, length: number) {
    this.path = path;
    this.#handle = handle;
    this.#length = length;
  }

  /** Bytes that are on the disk. */
  get length(): number {
    return this.#length;
  }

  /** Resolves with the place of the bytes when they are on the disk. What comes meanwhile is written together. */
  append(bytes: Buffer): Promise<number> {
    return new Promise((done, fail) => {
      this.#waiting.push({ bytes, done, fail });
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined;
      });
    });
  }

  /** What is there from `start` on, and no more than `most` bytes. */
  async read(start: number, most: number): Promise<Buffer> {
    const bytes = Buffer.alloc(Math.max(0, Math.min(most, this.#length - start)));
    const { bytesRead } = await this.#handle.read(bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  }

  async *lines(): AsyncGenerator<string, void, void> {
    let rest = Buffer.alloc(0);
    for (let at = 0; at < this.#length; ) {
      const chunk = await this.read(at, LOOKED_AT);
      if (chunk.length === 0) return;
      at += chunk.length;
      const bytes = Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, start)) {
        yield bytes.toString('utf8', start, end);
        start = end + 1;
      }
      rest = bytes.subarray(start);
    }
  }

  /** What was not acknowledged is taken away. */
  async cut(length: number): Promise<void> {
    await this.#handle.truncate(length);
    this.#length = length;
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#handle.close();
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0);
      const start = this.#length;
      try {
        const bytes = Buffer.concat(some.map((one) => one.bytes));
        await writeAll(this.#handle, bytes, start);
        await this.#handle.datasync();
        this.#length += bytes.length;
        let at = start;
        for (const { bytes: own, done } of some) {
          done(at);
          at += own.length;
        }
      } catch (cause) {
        await this.#handle.truncate(start).catch(() => {});
        for (const { fail } of some) fail(notWritten(this.path, cause));
      }
    }
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, start + done);
    done += bytesWritten;
  }
}

function notWritten(path: string, cause: unknown): AssayError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : '';
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AssayError(
    code === 'ENOSPC' || code === 'EDQUOT' ? 'STORE_FULL' : 'FILE_BUSY',
    `${path} could not be written: ${why}`,
    { cause, remedy: 'Nothing of it was kept; send it again.' },
  );
}

/** Makes it where there is none, for its owner alone. */
export async function openSpoolFile(path: string): Promise<SpoolFile> {
  try {
    makeFolder(dirname(path), 0o700);
    const { handle, isNew } = await openOrMake(path);
    if (isNew) await syncFolder(dirname(path));
    const { size } = await handle.stat();
    const length = await wholeLines(handle, size);
    if (length < size) await handle.truncate(length);
    return new SpoolFile(path, handle, length);
  } catch (cause) {
    throw cause instanceof AssayError ? cause : notWritten(path, cause);
  }
}

async function openOrMake(path: string): Promise<{ handle: FileHandle; isNew: boolean }> {
  try {
    return { handle: await open(path, 'r+'), isNew: false };
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause;
    return { handle: await open(path, 'wx+', 0o600), isNew: true };
  }
}

/** The entry of a new file is on the disk as well. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch {
    // Some systems do not let folders be synchronised, and need not be asked.
  } finally {
    await handle.close();
  }
}

/** How many bytes are lines to their end. */
async function wholeLines(handle: FileHandle, size: number): Promise<number> {
  const bytes = Buffer.alloc(LOOKED_AT);
  for (let end = size; end > 0; end = Math.max(0, end - LOOKED_AT)) {
    const start = Math.max(0, end - LOOKED_AT);
    const { bytesRead } = await handle.read(bytes, 0, end - start, start);
    const at = bytes.subarray(0, bytesRead).lastIndexOf(LINE_END);
    if (at >= 0) return start + at + 1;
  }
  return 0;
}
