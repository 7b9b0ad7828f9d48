/** A server process whose memory a test can measure. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { keyedFetch, withoutKey } from '../../testing/server-keys.ts';

const CHILD = fileURLToPath(new URL('./serve-child.ts', import.meta.url));

export type ServerProcess = {
  readonly url: string;
  readonly folder: string;
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  /** Megabytes that it has in memory now. */
  readonly memory: () => number;
  readonly openFiles: () => number;
  readonly stop: () => Promise<void>;
};

export async function startServerProcess(): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-server-'));
  const child = spawn(process.execPath, [CHILD, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const url = withoutKey(String(line));
  return {
    url,
    folder,
    ask: (path, init) => keyedFetch(new URL(path, url), init),
    memory: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
