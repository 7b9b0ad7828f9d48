/** A small file system, where the system allows mounting one. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const PIECE = Buffer.alloc(4096);

/** Undefined: mounting is not allowed here. */
export function smallDisk(kilobytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-disk-'));
  const size = `size=${kilobytes}k,mode=700`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'assay-test', folder]).status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  onTestFinished(() => {
    spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true });
  });
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => {
      const file = openSync(filler, 'a');
      try {
        for (;;) writeSync(file, PIECE);
      } catch {
        // Now it is full.
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
  };
}
