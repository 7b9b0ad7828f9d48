import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { AssayError } from '../errors.ts';
import { harmless } from '../report/unsafe-text.ts';

type ResultFile = {
  readonly print: (text: string) => void;
  readonly keep: () => void;
  readonly drop: () => void;
};

/** The file is there when the result is whole; until then, and after a fault, what was there before stays. */
export function startFile(target: string): ResultFile {
  const part = `${target}.${process.pid}.part`;
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new AssayError('OUTPUT_FAILED', `${target} cannot be written: ${why}`, { cause });
    }
  };
  const handle = attempt(() => {
    mkdirSync(dirname(target), { recursive: true });
    return openSync(part, 'wx', 0o644);
  });
  return {
    print: (text) => void attempt(() => writeSync(handle, harmless(text))),
    keep: () =>
      attempt(() => {
        closeSync(handle);
        renameSync(part, target);
      }),
    drop: () => {
      closeSync(handle);
      rmSync(part, { force: true });
    },
  };
}
