import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFile } from './read-file.ts';

const FIXTURES = 'test/fixtures/session';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-pipe-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function readPiped(text: string) {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reading = readFile(path);
  const pipe = createWriteStream(path);
  pipe.end(text);
  return reading;
}

describe('what comes through a pipe', () => {
  it('is read like a file: a stream in a field of a document on one line', async () => {
    const stdout = readFileSync(`${FIXTURES}/stream-json/claude.jsonl`, 'utf8');
    const { sessions } = await readPiped(`${JSON.stringify({ task: 'calc', agent: { stdout } })}\n`);
    expect(sessions.map(({ source }) => source)).toEqual(['stream-json', 'stream-json']);
  });

  it('is read like a file: a branch that was left is counted apart', async () => {
    const path = `${FIXTURES}/pi-v3-tree/session.jsonl`;
    const { sessions } = await readFile(path);
    const piped = await readPiped(readFileSync(path, 'utf8'));
    expect(sessions[0]?.abandoned.entries).toBeGreaterThan(0);
    expect(piped.sessions.map(({ abandoned }) => abandoned)).toEqual(
      sessions.map(({ abandoned }) => abandoned),
    );
  });

  it('is read as lines where it is more than is held', async () => {
    const line = `${JSON.stringify({ type: 'assistant', text: 'x'.repeat(1_000_000) })}\n`;
    const begin = '{"type":"session","session_id":"s","agent":"a"}\n{"type":"user","text":"go"}\n';
    const { sessions } = await readPiped(begin + line.repeat(70));
    expect(sessions[0]?.runs[0]?.replies).toBe(70);
  });
});
