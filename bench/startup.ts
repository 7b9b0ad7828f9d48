/**
 * How much the command line adds to a bare start of Node, as a ratio measured in the same run: `npm run bench:startup`.
 * The runs are interleaved, because these machines are noisy, and medians are compared; CPU time is printed as well,
 * which a busy machine changes less. A clone runs its sources, an installed package its build, so both are measured, in
 * a folder and a home without sessions.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../src/stats/descriptive.ts';
import { buildPackage } from './built-package.ts';

const ROOT = join(import.meta.dirname, '..');
const ROUNDS = Number(process.argv[2] ?? 41);
const scratch = mkdtempSync(join(tmpdir(), 'assay-startup-'));

/** Of all children that have ended; Linux counts in hundredths of a second. */
function cpuOfChildren(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return 10 * (Number(fields[13]) + Number(fields[14]));
  } catch {
    return Number.NaN;
  }
}

type Start = { readonly ms: number; readonly cpuMs: number };

function start(args: readonly string[]): Start {
  const [began, cpu] = [performance.now(), cpuOfChildren()];
  const env = { ...process.env, HOME: scratch, XDG_CACHE_HOME: join(scratch, 'cache') };
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: scratch, encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { ms: performance.now() - began, cpuMs: cpuOfChildren() - cpu };
}

function measure(): void {
  const [source, built] = [join(ROOT, 'bin/assay.js'), buildPackage(join(scratch, 'package'))];
  const contenders = [
    { name: 'node -e 0', args: ['-e', '0'], target: 1 },
    { name: 'assay --version', args: [source, '--version'], target: 1.5 },
    { name: 'assay --help', args: [source, '--help'], target: 2 },
    { name: 'assay, no sessions', args: [source], target: 6 },
    { name: 'built: assay --version', args: [built, '--version'], target: 1.5 },
    { name: 'built: assay --help', args: [built, '--help'], target: 2 },
    { name: 'built: assay, no sessions', args: [built], target: 6 },
  ];
  const starts = contenders.map((): Start[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    contenders.forEach(({ args }, i) => {
      const one = start(args);
      // The first round fills the caches.
      if (round > 0) starts[i]?.push(one);
    });
  }
  const wall = starts.map((all) => median(all.map(({ ms }) => ms)) ?? Number.NaN);
  const cpu = starts.map((all) => all.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / all.length);
  const [floor = Number.NaN, cpuFloor = Number.NaN] = [wall[0], cpu[0]];
  contenders.forEach(({ name, target }, i) => {
    const ratio = (wall[i] ?? Number.NaN) / floor;
    const verdict = i === 0 ? 'the floor' : ratio <= target ? `within ${target} ×` : `over ${target} ×`;
    console.log(
      [
        name.padEnd(26),
        `${wall[i]?.toFixed(1).padStart(6)} ms`,
        `${ratio.toFixed(2).padStart(6)} ×`,
        `${cpu[i]?.toFixed(0).padStart(5)} ms of processor`,
        `${((cpu[i] ?? Number.NaN) / cpuFloor).toFixed(2).padStart(6)} ×`,
        verdict,
      ].join('  '),
    );
  });
}

try {
  measure();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
