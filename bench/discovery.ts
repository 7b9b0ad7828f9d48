/**
 * How long it takes to find 10,000 sessions in all places of agents together, against a bare walk through the same
 * folders: `npm run bench:discovery`. Everything is built in a temporary home and removed.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findSources, placesOf } from '../src/session/ingest/files/find-sources.ts';
import { SESSION_PATHS } from '../src/session/ingest/files/testing/session-paths.ts';
import { median } from '../src/stats/descriptive.ts';

const ROUNDS = 15;
const FILES = Number(process.argv[2] ?? 10_000);
const TARGET_MS = 50;

function buildHome(home: string): void {
  for (let n = 0; n < FILES; n++) {
    const path = join(home, SESSION_PATHS[n % SESSION_PATHS.length]?.(n, n % 20) ?? '');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  }
}

/** The minimum work to learn which files there are. */
function walk(folder: string): number {
  let folders = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      folders += 1;
      waiting.push(`${next}/${entry.name}`);
    }
  return folders;
}

function timed<T>(run: () => T): { readonly ms: number; readonly value: T } {
  // Of the process, not of the clock: others may be using the machine.
  const start = process.cpuUsage();
  const value = run();
  const { user, system } = process.cpuUsage(start);
  return { ms: (user + system) / 1000, value };
}

const middle = (times: readonly number[]): number => median(times) ?? Number.NaN;
const spread = (times: readonly number[]): string =>
  `median ${middle(times).toFixed(1).padStart(6)} ms, least ${Math.min(...times)
    .toFixed(1)
    .padStart(6)} ms`;

const home = mkdtempSync(join(tmpdir(), 'assay-discovery-'));
try {
  buildHome(home);
  const [floor, found]: [number[], number[]] = [[], []];
  let [count, folders] = [0, 0];
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = timed(() => walk(home));
    const ours = timed(() => findSources(home, {}));
    folders = bare.value;
    count = ours.value.reduce((sum, { files }) => sum + files.length, 0);
    // The first round fills the caches of the file system.
    if (round > 0) floor.push(bare.ms);
    if (round > 0) found.push(ours.ms);
  }
  const places = placesOf(home, {}).length;
  console.log(
    `${count} of ${FILES} files in ${places} places (${folders} folders), CPU time of ${ROUNDS} interleaved rounds\n`,
  );
  console.log(`readdir of the same folders  ${spread(floor)}  the floor`);
  const [bare, ours] = [middle(floor), middle(found)];
  const verdict = ours <= TARGET_MS ? `within ${TARGET_MS} ms` : `over ${TARGET_MS} ms`;
  console.log(
    `finding the sessions         ${spread(found)}  ${(ours / bare).toFixed(2)} × the floor, ${verdict}`,
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}
