/** Remembers what became of work until a branch of its repository moves: a second look need not read the history again. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { replaceFile } from '../../locked-file.ts';
import { makeGuardedFolder } from '../../own-folder.ts';
import type { OutcomeCache } from './judge-work.ts';
import type { WorkOutcome } from './work-outcome.ts';

/** Raised when the same lines and the same history would give another row. */
const VERSION = 4;
const MAX_ROWS = 10_000;

type Stored = {
  readonly version: number;
  readonly rows: readonly (readonly [key: string, row: WorkOutcome])[];
  /** Of the rows as they are written: damage must not look like another outcome. */
  readonly checksum: number;
};

/**
 * A file that may be deleted at any time. What is damaged or cannot be written is as good as none. `fresh`: what is
 * found out takes the place of what was remembered of it.
 */
export function openOutcomeCache(path: string, fresh = false): OutcomeCache {
  const isOurs = makeGuardedFolder(dirname(path));
  const rows = isOurs ? readRows(path) : new Map<string, WorkOutcome>();
  let isNew = false;
  return {
    recall: (key) => (fresh ? undefined : rows.get(shortKey(key))),
    remember: (found) => {
      for (const [key, row] of found) {
        // The newest are last, the oldest go first.
        rows.delete(shortKey(key));
        rows.set(shortKey(key), row);
        isNew = true;
      }
    },
    save: () => {
      if (isOurs && isNew) writeRows(path, [...rows].slice(-MAX_ROWS));
      isNew = false;
    },
  };
}

const shortKey = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 24);

function readRows(path: string): Map<string, WorkOutcome> {
  try {
    const stored = JSON.parse(readFileSync(path, 'utf8')) as Stored;
    const isWhole = stored.version === VERSION && stored.checksum === crc32(JSON.stringify(stored.rows));
    return isWhole ? new Map(stored.rows) : new Map();
  } catch {
    return new Map();
  }
}

function writeRows(path: string, rows: Stored['rows']): void {
  try {
    const checksum = crc32(JSON.stringify(rows));
    replaceFile(path, JSON.stringify({ version: VERSION, checksum, rows } satisfies Stored));
  } catch {
    // The next run reads the history again.
  }
}
