/** Real processes for tests, with their output so far. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Writer = {
  readonly lines: string[];
  /** Resolves when the line was said. */
  readonly said: (line: string) => Promise<void>;
  /** SIGKILL, and everything it said before. */
  readonly kill: () => Promise<void>;
  /** Resolves when it ended by itself; rejects with its stderr if it failed. */
  readonly end: () => Promise<void>;
};

export function startWriter(...args: readonly string[]): Writer {
  return startProcess(new URL('writer.ts', import.meta.url), ...args);
}

export function startProcess(script: URL, ...args: readonly string[]): Writer {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const lines: string[] = [];
  let rest = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const failed = () => new Error(`the writer ended with ${child.exitCode ?? child.signalCode}: ${stderr}`);
  return {
    lines,
    said: async (line) => {
      while (!lines.includes(line)) {
        if (hasEnded(child)) throw failed();
        await Promise.race([once(child.stdout, 'data'), closed]);
      }
    },
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
    end: async () => {
      await closed;
      if (child.exitCode !== 0) throw failed();
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
