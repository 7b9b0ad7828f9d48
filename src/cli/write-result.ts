import {
  closeSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AssayError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import { harmless } from '../report/unsafe-text.ts';

type ResultFile = {
  readonly print: (text: string) => void;
  /** False where nothing was printed, so no file was written. */
  readonly keep: () => boolean;
  readonly drop: () => void;
};

/**
 * The file appears when the result is complete; until then, and after an error, the previous file stays. A device or a
 * pipe (`/dev/stdout`, `/dev/null`) is written to, never replaced, and a link stays a link.
 */
export function startFile(named: string): ResultFile {
  const stats = statSync(named, { throwIfNoEntry: false });
  if (stats === undefined && lstatSync(named, { throwIfNoEntry: false }) !== undefined)
    throw new AssayError('OUTPUT_FAILED', `${named} cannot be written: it is a broken link`);
  const isInPlace = stats !== undefined && !stats.isFile();
  const target = stats === undefined || isInPlace ? named : realpathSync(named);
  const part = isInPlace ? target : `${target}.${process.pid}.part`;
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new AssayError('OUTPUT_FAILED', `${target} cannot be written: ${why}`, { cause });
    }
  };
  const handle = attempt(() => {
    makeFolder(dirname(target));
    return openSync(part, isInPlace ? 'w' : 'wx', 0o644);
  });
  let isEmpty = true;
  const drop = () => {
    closeSync(handle);
    if (!isInPlace) rmSync(part, { force: true });
  };
  return {
    print: (text) => {
      isEmpty = false;
      attempt(() => writeSync(handle, harmless(text)));
    },
    keep: () => {
      if (isEmpty) drop();
      else
        attempt(() => {
          closeSync(handle);
          if (!isInPlace) renameSync(part, target);
        });
      return !isEmpty;
    },
    drop,
  };
}
