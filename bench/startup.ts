/**
 * How much the command line adds to a bare start of Node, as a ratio measured in the same run: `npm run
 * bench:startup`. The runs are interleaved, because these machines are noisy, and the medians are compared.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { median } from '../src/stats/median.ts';

const LAUNCHER = join(import.meta.dirname, '../bin/assay.js');
const ROUNDS = 41;

const CONTENDERS = [
  { name: 'node -e 0', args: ['-e', '0'], target: 1 },
  { name: 'assay --version', args: [LAUNCHER, '--version'], target: 1.5 },
  { name: 'assay --help', args: [LAUNCHER, '--help'], target: 2 },
];

function startMs(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - start;
}

const times = CONTENDERS.map((): number[] => []);
for (let round = 0; round <= ROUNDS; round++) {
  CONTENDERS.forEach(({ args }, i) => {
    const ms = startMs(args);
    // The first round fills the caches.
    if (round > 0) times[i]?.push(ms);
  });
}

const floor = median(times[0] ?? []) ?? Number.NaN;
for (const [i, { name, target }] of CONTENDERS.entries()) {
  const ms = median(times[i] ?? []) ?? Number.NaN;
  const verdict = i === 0 ? 'the floor' : ms / floor <= target ? `within ${target} ×` : `over ${target} ×`;
  console.log(`${name.padEnd(18)} ${ms.toFixed(1).padStart(6)} ms  ${(ms / floor).toFixed(2)} ×  ${verdict}`);
}
