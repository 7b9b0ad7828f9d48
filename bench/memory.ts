/**
 * Peak memory of a run by the number of cases: `node bench/memory.ts`. Golden cases with one output each, and runs of a
 * review, made from the bundled ones; each size is a process. It measures the built package: compiling the sources
 * takes up to 80 MB more.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage } from './built-package.ts';
import { buildCorpus } from './decomposition-corpus.ts';
import { buildReviews } from './workflow-corpus.ts';

const MOST_MB = 250;
const folder = mkdtempSync(join(tmpdir(), 'assay-memory-'));
let launcher = '';

/** Prints its peak in kilobytes, by the kernel's mark, because that of Node begins with the parent's. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  `import { readFileSync } from 'node:fs';
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const own = process.platform === 'linux' && /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
    console.error('PEAK ' + (own ? own[1] : maxRSS) + ' ' + (userCPUTime + systemCPUTime));
  })`,
)}`;

function measure(what: string, args: readonly string[]): void {
  const { stderr, status } = spawnSync(process.execPath, ['--import', REPORT, launcher, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, HOME: folder },
    maxBuffer: 1 << 30,
  });
  const [, kilobytes, cpu] = /PEAK (\d+) (\d+)/.exec(stderr) ?? [];
  // 1 is a gate that blocked: it was measured.
  if (kilobytes === undefined || (status !== 0 && status !== 1)) throw new Error(`${what}: ${stderr}`);
  const megabytes = Number(kilobytes) / 1024;
  console.log(
    [
      what.padEnd(36),
      `${megabytes.toFixed(0).padStart(5)} MB`,
      megabytes <= MOST_MB ? `within ${MOST_MB} MB` : `over ${MOST_MB} MB`,
      `${(Number(cpu) / 1e6).toFixed(1).padStart(6)} s of processor`,
    ].join('  '),
  );
}

try {
  launcher = buildPackage(join(folder, 'package'));
  for (const count of [1000, 10_000, 30_000, 60_000]) {
    const { golden, outputs } = buildCorpus(folder, count, 'cases');
    const args = ['decomposition', 'run', '--golden', golden, '--outputs', outputs];
    const only = ['--no-history', '--no-semantic', '--store', join(folder, `cases-${count}.db`)];
    measure(`${count.toLocaleString('en')} golden cases`, [...args, ...only]);
    if (count !== 30_000) continue;
    for (const format of ['json', 'html', 'csv'])
      measure(`  the same, as ${format}`, [...args, ...only, '--format', format]);
  }
  for (const count of [1000, 10_000]) {
    const { truth, runs } = buildReviews(folder, count);
    const store = join(folder, `runs-${count}.db`);
    const against = ['--truth', truth];
    const score = ['workflow', 'score', ...against, '--runs', runs, '--store', store];
    measure(`${count.toLocaleString('en')} runs of a review`, score);
    if (count < 10_000) continue;
    for (const format of ['json', 'html', 'csv'])
      measure(`  the same, as ${format}`, [...score, '--format', format]);
    measure('  the same, leaderboard', ['workflow', 'leaderboard', ...against, '--runs', runs]);
    const fewer = join(folder, 'runs-1000');
    measure('  the same, compared with 1,000', ['workflow', 'compare', fewer, runs, ...against]);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
