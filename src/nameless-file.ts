import { randomUUID } from 'node:crypto';
import { openSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file that has no name as soon as it is open: nobody else sees it, and whatever ends this process, nothing stays behind. */
export function openNamelessFile(): number {
  const path = join(tmpdir(), `assay-${process.pid}-${randomUUID()}`);
  const handle = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return handle;
}
