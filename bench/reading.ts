/**
 * The cost of a first reading, stage by stage: `node bench/reading.ts [MEGABYTES]`. Compares the CPU time of `assay
 * sessions score` with that of JSON.parse of every line, in interleaved rounds on the same files, for a small and a
 * large folder: the difference is the price of a megabyte, without the start of the process. A profiled reading shows
 * how the price is shared among the stages.
 *
 *  `node bench/reading.ts [MEGABYTES] --against COMMIT` also reads them with the code of that commit, in the same
 * rounds.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../src/stats/descriptive.ts';
import { buildCorpus, SHARED } from './sessions-corpus.ts';
import { timeProcess } from './timed-process.ts';

const ROUNDS = 5;
const SMALL_MB = 25;
const ROOT = join(import.meta.dirname, '..');
const LAUNCHER = 'bin/assay.js';
const PARSE = join(import.meta.dirname, 'sessions-child.ts');

/** The first that fits the file of a function, or of the nearest caller that has one. */
const STAGES: readonly (readonly [stage: string, files: RegExp])[] = [
  ['parse', /\/ingest\/json\//],
  ['adapt', /\/ingest\/formats\//],
  ['text rules', /\/fold\/(?:corrections|requests|last-message|nothing-to-report)\.ts/],
  [
    'shell and files',
    /\/fold\/(?:shell-[\w-]+|checks|classify-tool|file-changes|line-fingerprints|hash)\.ts/,
  ],
  ['facts', /\/fold\/facts[\w-]*\.ts/],
  ['fold', /\/session\/fold\//],
  ['files and duplicates', /\/session\/ingest\//],
  ['score', /\/src\/(?:session|stats|measure|judge)\//],
  ['store and output', /\/src\//],
];

type Node = {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
};
type Profile = {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

function stageOf(node: Node, parents: ReadonlyMap<number, Node>): string | undefined {
  const { functionName } = node.callFrame;
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  for (let at: Node | undefined = node; at !== undefined; at = parents.get(at.id)) {
    const { url } = at.callFrame;
    const found = STAGES.find(([, files]) => files.test(url));
    if (found !== undefined) return found[0];
  }
  return 'start and compile';
}

/** Of all threads, as shares of 1. */
function sharesOf(folder: string): Map<string, number> {
  const times = new Map<string, number>();
  let total = 0;
  for (const name of readdirSync(folder)) {
    const { nodes, samples, timeDeltas }: Profile = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node])));
    const stages = new Map(nodes.map((node) => [node.id, stageOf(node, parents)]));
    samples.forEach((id, i) => {
      const stage = stages.get(id);
      if (stage === undefined) return;
      times.set(stage, (times.get(stage) ?? 0) + (timeDeltas[i] ?? 0));
      total += timeDeltas[i] ?? 0;
    });
  }
  return new Map([...times].map(([stage, time]) => [stage, time / total]));
}

async function cpuOf(folder: string, args: readonly string[]): Promise<number> {
  const home = mkdtempSync(join(folder, 'home-'));
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: '', NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const { status, stderr, cpuMs } = await timeProcess(process.execPath, args, { cwd: folder, env });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  rmSync(home, { recursive: true, force: true });
  return cpuMs;
}

const readingOf = (corpus: string, tree = ROOT) => [
  ...[join(tree, LAUNCHER), 'sessions', 'score', corpus],
  ...['--no-store', '--no-git', '--format', 'jsonl'],
];

/** The code of another commit with the dependencies of this one. */
function checkOut(commit: string, folder: string): string {
  const tree = join(folder, 'tree');
  execFileSync('git', ['-C', ROOT, 'worktree', 'add', '--quiet', '--detach', tree, commit]);
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

function removeTree(tree: string): void {
  rmSync(tree, { recursive: true, force: true });
  execFileSync('git', ['-C', ROOT, 'worktree', 'prune']);
}

const middle = (times: readonly number[]) => median(times) ?? Number.NaN;

async function measure(
  folder: string,
  megabytes: number,
  other?: { commit: string; tree: string },
): Promise<void> {
  const sizes = [SMALL_MB, megabytes].map((mb) => {
    const corpus = join(folder, `corpus-${mb}`);
    return {
      corpus,
      mb: buildCorpus(corpus, mb * 1e6).bytes / 1e6,
      parse: [] as number[],
      read: [] as number[],
      before: [] as number[],
    };
  });
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { corpus, parse, read, before } of sizes) {
      const parsed = await cpuOf(folder, [PARSE, corpus]);
      const now = await cpuOf(folder, readingOf(corpus));
      const then = other && (await cpuOf(folder, readingOf(corpus, other.tree)));
      // The first round fills the caches.
      if (round === 0) continue;
      parse.push(parsed);
      read.push(now);
      if (then !== undefined) before.push(then);
    }
  }
  const [small, large] = sizes.map(({ mb, parse, read, before }) => ({
    mb,
    parse: middle(parse),
    read: middle(read),
    before: middle(before),
  }));
  if (small === undefined || large === undefined) return;
  const perMb = (what: 'parse' | 'read' | 'before') => (large[what] - small[what]) / (large.mb - small.mb);
  for (const { mb, parse, read } of [small, large])
    console.log(
      `${mb.toFixed(0).padStart(4)} MB  JSON.parse ${parse.toFixed(0)} ms CPU, reading ${read.toFixed(0)} ms CPU: ${(read / parse).toFixed(2)} ×`,
    );
  console.log(
    `per MB   JSON.parse ${perMb('parse').toFixed(2)} ms, reading ${perMb('read').toFixed(2)} ms: ${(perMb('read') / perMb('parse')).toFixed(2)} ×`,
  );
  if (other !== undefined)
    console.log(
      `per MB   ${other.commit} ${perMb('before').toFixed(2)} ms; now ${(perMb('read') / perMb('before')).toFixed(2)} × of that`,
    );
  console.log();
  const profiles = join(folder, 'profiles');
  await cpuOf(folder, ['--cpu-prof', `--cpu-prof-dir=${profiles}`, ...readingOf(sizes[1]?.corpus ?? '')]);
  for (const [stage, share] of [...sharesOf(profiles)].sort(([, a], [, b]) => b - a)) {
    const ms = share * large.read;
    const per = `${(ms / large.mb).toFixed(2)} ms/MB`;
    console.log(
      `${stage.padEnd(22)}${per.padStart(12)}${(ms / large.parse).toFixed(2).padStart(7)} × JSON.parse`,
    );
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' } },
});

if (existsSync(SHARED)) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const { against } = values;
  const other = against === undefined ? undefined : { commit: against, tree: checkOut(against, folder) };
  try {
    await measure(folder, Number(positionals[0] ?? 200), other);
  } finally {
    if (other !== undefined) removeTree(other.tree);
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  console.log(`${SHARED} is not there: nothing to measure.`);
}
