import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder that is gone after the tests, and a way to put files into it. */
export function tempFolder(): { path: string; write: (name: string, content: string | Buffer) => string } {
  const path = mkdtempSync(join(tmpdir(), 'assay-ingest-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  const write = (name: string, content: string | Buffer): string => {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  return { path, write };
}
