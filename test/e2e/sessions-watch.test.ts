import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionEvent } from '../../src/api/schema/session-event.ts';
import { bareEnv } from '../bare-env.ts';
import { commandFolder } from '../command-folder.ts';
import { LAUNCHER } from '../launcher.ts';

const TURNS = readFileSync('test/fixtures/session/claude-code-turns/5f0c.jsonl', 'utf8').split(/(?<=\n)/);

let home: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-watch-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

/** Waits for lines as they are printed. */
function watching(...words: string[]) {
  const started = spawn(process.execPath, [LAUNCHER, 'sessions', 'watch', ...words], {
    cwd: home,
    env: bareEnv(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  const ready = new Promise<void>((done) => {
    started.stderr.on('data', (chunk) => String(chunk).includes('watching') && done());
  });
  const ended = new Promise<number | null>((done) => started.on('exit', (code) => done(code)));
  return { ready, next: async () => (await lines.next()).value as string, ended, started };
}

describe('assay sessions watch', () => {
  const folder = commandFolder();

  it('says when a session starts, changes and ends, and stores what scoring it anew stores', async () => {
    const projects = join(home, '.claude', 'projects', 'p');
    mkdirSync(projects, { recursive: true });
    const { ready, next, ended, started } = watching('--format', 'jsonl', '--silence', '1s');
    await ready;
    const path = join(projects, '5f0c.jsonl');
    writeFileSync(path, TURNS.slice(0, 6).join(''));
    const event = async () => sessionEvent.parse(JSON.parse(await next()));
    expect(await event()).toMatchObject({ type: 'session.started', session_id: '5f0c' });
    expect(await event()).toMatchObject({ type: 'session.scored' });
    appendFileSync(path, TURNS.slice(6).join(''));
    expect(await event()).toMatchObject({ type: 'session.updated' });
    const last = await event();
    expect(last).toMatchObject({ type: 'session.scored', source: 'claude-code' });
    started.kill('SIGINT');
    expect(await ended).toBe(0);
    const stored = await folder.assay(
      'sessions',
      'score',
      '--no-sync',
      '--store',
      storeOf(home),
      '--format',
      'jsonl',
    );
    const fresh = await folder.assay('sessions', 'score', path, '--no-store', '--format', 'jsonl');
    expect(stored.stdout).toBe(fresh.stdout);
    expect(JSON.parse(stored.stdout).q).toBe(last.q);
  });
});

function storeOf(folder: string): string {
  return join(folder, '.local', 'share', 'assay', 'assay.db');
}
