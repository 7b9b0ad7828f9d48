/**
 * How soon an append is seen in folders that the system does not watch, as on a network drive: `node bench/watch.ts
 * [folders]` (5,000 by default, a transcript in each), and what looking takes of a processor. A *quiet* file was not written
 * to before; one that *goes on* was. Beside it the same folders with events of the file system, as far as the system gives
 * them. Everything is built in a temporary folder and removed.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultPorts } from '../src/operations/default-ports.ts';
import { SessionFollower } from '../src/operations/session/follow-sessions.ts';
import { FileWatch } from '../src/session/live/watch-files.ts';
import { quantile } from '../src/stats/descriptive.ts';

const FOLDERS = Number(process.argv[2] ?? 5000);
const APPENDS = 8;
const LINE = '{"type":"user","message":{"role":"user","content":"go on"}}\n';

const root = mkdtempSync(join(tmpdir(), 'assay-bench-watch-'));
const pathOf = (i: number) => join(root, `project-${i}`, 'session.jsonl');
const ports = defaultPorts({ store: ':memory:', folder: root });
const from = { paths: [root], home: root, environment: {} };
const follower = new SessionFollower({ from, silenceMs: 1e9 }, ports, () => {});

async function measure(name: string, mostFolders: number | undefined): Promise<void> {
  const waiting = new Map<string, () => void>();
  const watch = new FileWatch({
    list: () => follower.list(),
    folders: [root],
    ...(mostFolders !== undefined && { mostFolders }),
    onChange: (paths) => {
      for (const path of paths) waiting.get(path)?.();
    },
  });
  watch.start();
  const seen = async (i: number): Promise<number> => {
    const start = performance.now();
    const noticed = new Promise<void>((resolve) => waiting.set(pathOf(i), resolve));
    appendFileSync(pathOf(i), LINE);
    await noticed;
    return performance.now() - start;
  };
  const [begun, before] = [performance.now(), process.cpuUsage()];
  const quiet: number[] = [];
  const goesOn: number[] = [];
  for (let k = 0; k < APPENDS; k += 1) {
    const i = Math.floor((k * FOLDERS) / APPENDS);
    // At any moment between two looks.
    await sleep(((k * 7) % APPENDS) * 300);
    quiet.push(await seen(i));
    goesOn.push(await seen(i));
  }
  const { user, system } = process.cpuUsage(before);
  const share = (user + system) / 10 / (performance.now() - begun);
  watch.stop();
  console.log(
    `${name.padEnd(15)} a quiet file ${say(quiet)}; one that goes on ${say(goesOn)}; looking took ${share.toFixed(1)}% of a processor`,
  );
}

function say(times: readonly number[]): string {
  return `p50 ${second(times, 0.5)}, worst ${second(times, 1)}`;
}

function second(times: readonly number[], share: number): string {
  return `${((quantile(times, share) ?? Number.NaN) / 1000).toFixed(1)} s`;
}

try {
  for (let i = 0; i < FOLDERS; i += 1) {
    mkdirSync(join(root, `project-${i}`));
    writeFileSync(pathOf(i), LINE);
  }
  console.log(
    `${FOLDERS.toLocaleString('en')} folders with a transcript each, ${APPENDS} appends to each kind`,
  );
  await measure('without events', 0);
  await measure('with events', undefined);
} finally {
  await ports.close();
  rmSync(root, { recursive: true });
}
