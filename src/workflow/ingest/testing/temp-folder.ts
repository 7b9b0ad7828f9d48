import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** A new folder for each test of the file, removed after it. */
export function tempFolder() {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const at = (path: string) => join(folder, path);
  return {
    at,
    /** Writes text, or anything else as JSON, and returns the path. */
    write: (path: string, content: unknown): string => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), typeof content === 'string' ? content : JSON.stringify(content));
      return at(path);
    },
  };
}

/** The fenced blocks of a page in one language, in order. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );
}
