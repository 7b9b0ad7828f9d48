import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AssayError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';

/** What helps where a folder is read-only or full. */
export const WRITABLE = 'Go to a folder that you may write to and has room, and give the command there.';

/** A file that was not there before: what is there is never written over. */
export function writeNewFile(path: string, text: string): void {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    const { code, path: at } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST' && at === path)
      throw new AssayError('USAGE', `${path} is there already and was left as it is`, {
        cause,
        remedy: 'Take another name, or move it away first.',
      });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${why}`, { cause, remedy: WRITABLE });
  }
}
