/**
 * How fast recorded outputs are compared with golden cases, against promptfoo on the same outputs with one JavaScript
 * assertion that computes F1: `npm run bench:decomposition` (or `node bench/decomposition.ts [OUTPUTS]`). Both are
 * timed as processes from start to end, and neither calls a model: promptfoo's assertion compares labels in lower case,
 * Assay runs with --no-semantic. A row without it shows the price of the semantic level. The last rows are about
 * memory: ten times the golden cases, and the same in a heap of 48 MB, which shows the memory that is needed rather
 * than what the collector leaves. promptfoo is installed below node_modules/.cache (some 1.9 GB); name an installed one
 * with PROMPTFOO=path/to/node_modules/.bin/promptfoo.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../src/stats/descriptive.ts';
import { buildCorpus, type Corpus } from './decomposition-corpus.ts';
import { installPromptfoo, promptfooEnv } from './promptfoo.ts';
import { type Timed, timeProcess } from './timed-process.ts';

const OUTPUTS = Number(process.argv[2] ?? 10_000);
const ROUNDS = 3;
const TARGET = 20;
const ASSAY = join(import.meta.dirname, '..', 'bin', 'assay.js');

const SMALL_HEAP = '--max-old-space-size=48';

/** A process from start to end; its result is read and thrown away. */
async function time(program: string, args: readonly string[], cwd: string): Promise<Timed> {
  const { status, stderr, ...timed } = await timeProcess(program, args, { cwd, env: promptfooEnv(cwd) });
  // 1 is a gate that blocked: the outputs were measured.
  if (status !== 0 && status !== 1 && status !== 100)
    throw new Error(`${program} ended with ${status}: ${stderr}`);
  return timed;
}

const show = (name: string, runs: readonly Timed[], more = '') =>
  console.log(
    [
      name.padEnd(44),
      `${middle(runs, 'ms').toFixed(0).padStart(7)} ms`,
      `${middle(runs, 'cpuMs').toFixed(0).padStart(7)} ms of processor`,
      `${middle(runs, 'peakMb').toFixed(0).padStart(5)} MB`,
      more,
    ].join('  '),
  );
const middle = (runs: readonly Timed[], of: keyof Timed) => median(runs.map((run) => run[of])) ?? Number.NaN;

async function repeat(count: number, run: () => Promise<Timed>): Promise<Timed[]> {
  const runs: Timed[] = [];
  for (let i = 0; i < count; i++) runs.push(await run());
  return runs;
}

const assay = (
  { folder, golden, outputs }: Corpus,
  flags: readonly string[] = ['--no-semantic'],
  heap?: string,
) => {
  const args = [ASSAY, 'decomposition', 'run', '--golden', golden, '--outputs', outputs, '--no-history'];
  return time(process.execPath, [...(heap === undefined ? [] : [heap]), ...args, ...flags], folder);
};

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
try {
  const promptfoo = installPromptfoo()?.program;
  if (promptfoo === undefined) console.log('promptfoo could not be installed: its row is missing below.');
  const repeats = buildCorpus(folder, OUTPUTS, 'repeats');
  const ours = await repeat(ROUNDS, () => assay(repeats));
  show(`assay, ${OUTPUTS} outputs of the golden cases`, ours, 'matches, all metrics, intervals, stored');
  if (promptfoo !== undefined) {
    const flags = ['--no-table', '--no-progress-bar', '--no-cache', '--no-write'];
    const args = [promptfoo, 'eval', '-c', `promptfoo-${OUTPUTS}.json`, ...flags];
    const theirs = await repeat(1, () => time(process.execPath, args, folder));
    show(`promptfoo, ${OUTPUTS} outputs`, theirs, 'one assertion: F1');
    const ratio = middle(theirs, 'ms') / middle(ours, 'ms');
    const ofCpu = middle(theirs, 'cpuMs') / middle(ours, 'cpuMs');
    console.log(
      `${ratio.toFixed(1)} × faster (target ${TARGET} ×: ${ratio >= TARGET ? 'met' : 'not met'}), ${ofCpu.toFixed(1)} × less work for the processor`,
    );
  }
  show('  with the semantic level, first run', [await assay(repeats, [])]);
  show('  with the semantic level, again', [await assay(repeats, [])]);
  for (const heap of [undefined, SMALL_HEAP]) {
    for (const count of [OUTPUTS / 10, OUTPUTS]) {
      const cases = buildCorpus(folder, count, 'cases');
      const runs = await repeat(ROUNDS, () => assay(cases, ['--no-semantic'], heap));
      show(`assay, ${count} cases, one output each`, runs, heap === undefined ? '' : 'in a heap of 48 MB');
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
