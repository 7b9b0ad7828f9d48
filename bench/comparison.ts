/**
 * What peers and Assay do with the same input, printed claim by claim: `node bench/comparison.ts`. docs/comparison.md says
 * nothing else. promptfoo and ccusage are installed from npm in fixed versions, which needs a network the first time; what
 * cannot be had here is named and nothing is said of it.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { median } from '../src/stats/descriptive.ts';
import { CCUSAGE, installCcusage } from './ccusage.ts';
import { buildCorpus } from './decomposition-corpus.ts';
import { compareScorecards } from './owasp-scorecards.ts';
import { installPromptfoo, PROMPTFOO, promptfooEnv } from './promptfoo.ts';
import { type Ended, timeProcess } from './timed-process.ts';

const ROOT = join(import.meta.dirname, '..');
const LAUNCHER = join(ROOT, 'bin/assay.js');
const TRANSCRIPTS = join(ROOT, '../shared/data/session/claude-code/sessions');
const ROUNDS = 3;
const OUTPUTS = 100;
/** What promptfoo is for beyond measuring answers. */
const ELSEWHERE = ['redteam', 'generate', 'optimize', 'scan-model', 'code-scans', 'share'];

const folder = mkdtempSync(join(tmpdir(), 'assay-comparison-'));
const plainEnv = (home: string): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: home });
const assay = (args: readonly string[], cwd: string, home = cwd) =>
  timeProcess(process.execPath, [LAUNCHER, ...args], { cwd, env: plainEnv(home) });

function say(name: string, text: string): void {
  console.log(`${name.padEnd(42)}  ${text}`);
}

function sayTimed(runs: readonly Ended[]): string {
  const middle = (of: 'ms' | 'cpuMs' | 'peakMb') =>
    (median(runs.map((run) => run[of])) ?? Number.NaN).toFixed(0);
  return `${middle('ms')} ms, ${middle('cpuMs')} ms of processor, ${middle('peakMb')} MB`;
}

async function rounds(run: () => Promise<Ended>): Promise<Ended[]> {
  const all: Ended[] = [];
  for (let round = 0; round < ROUNDS; round++) all.push(await run());
  return all;
}

/** What an installation puts on the disk. */
function sayInstalled(modules: readonly string[], packages: number): string {
  let bytes = 0;
  for (const one of modules)
    for (const entry of globSync('**', { cwd: one, withFileTypes: true }))
      if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  return `${(bytes / 1e6).toFixed(0)} MB, ${packages} packages`;
}

function lockedPackages(lock: string): number {
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, unknown> };
  return Object.keys(packages).filter((name) => name !== '').length;
}

/** Its dependencies as they are installed here, and what `npm pack` takes. */
function ownInstallation(): string {
  const listed = spawnSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const folders = listed.stdout.split('\n').filter((line) => line.includes('/node_modules/'));
  // A package inside another is counted with it.
  const outer = folders.filter((one) => !folders.some((other) => one.startsWith(`${other}/node_modules/`)));
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
  const own = files
    .map((name) => join(ROOT, name))
    .filter((path) => existsSync(path) && statSync(path).isDirectory());
  const built = existsSync(join(ROOT, 'dist/cli/main.js')) ? '' : ' (without dist, which is not built here)';
  return sayInstalled([...outer, ...own], folders.length + 1) + built;
}

const UNCERTAINTY =
  /^(?:low|high|lower|upper|ci|std|sem|variance|.*(?:interval|confidence|deviation|_?error_?bar|standard_?error).*)$/i;

/** Whether a result states any uncertainty, wherever that is; measured data is not searched. */
function statesUncertainty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => {
    if (key === 'vars' || key === 'response' || key === 'prompt') return false;
    return UNCERTAINTY.test(key) || statesUncertainty(inner);
  });
}

/** Answers that say nothing, under the assertions that people write. */
const SILENCE = [
  { description: 'no assertion', output: '' },
  { description: 'not-contains', output: '', assert: [{ type: 'not-contains', value: 'lunar base' }] },
  {
    description: 'a script: every concept is expected',
    output: '{"concepts":[],"relationships":[]}',
    assert: [
      { type: 'javascript', value: "JSON.parse(output).concepts.every((one) => ['reed'].includes(one))" },
    ],
  },
  { description: 'contains', output: '', assert: [{ type: 'contains', value: 'reed' }] },
  { description: 'is-json', output: '', assert: [{ type: 'is-json' }] },
];

async function comparePromptfoo(): Promise<void> {
  const installed = installPromptfoo();
  if (installed === undefined) {
    say(`promptfoo ${PROMPTFOO}`, 'not run here: npm could not install it');
    return;
  }
  say(
    `promptfoo ${PROMPTFOO}: installed`,
    sayInstalled(
      [join(installed.folder, 'node_modules')],
      lockedPackages(join(installed.folder, 'package-lock.json')),
    ),
  );
  const evaluate = (config: string, out: string) => {
    const flags = ['--no-table', '--no-progress-bar', '--no-cache', '--no-write', '-o', out];
    const args = [installed.program, 'eval', '-c', config, ...flags];
    return timeProcess(process.execPath, args, { cwd: folder, env: promptfooEnv(folder) });
  };
  const corpus = buildCorpus(folder, OUTPUTS, 'repeats');
  const theirs = await rounds(() => evaluate(`promptfoo-${OUTPUTS}.json`, 'promptfoo.json'));
  const run = [
    'decomposition',
    'run',
    '--golden',
    corpus.golden,
    '--outputs',
    corpus.outputs,
    '--no-semantic',
  ];
  const ours = await rounds(() => assay([...run, '--no-history', '--format', 'json'], folder));
  say(`promptfoo: ${OUTPUTS} recorded answers`, `${sayTimed(theirs)}; one assertion each`);
  say(`Assay: the same ${OUTPUTS}`, `${sayTimed(ours)}; all metrics`);
  const said = statesUncertainty(JSON.parse(readFileSync(join(folder, 'promptfoo.json'), 'utf8')));
  say('promptfoo: how sure a result is', said ? 'stated' : 'no key of its result says so');
  const own = statesUncertainty(JSON.parse(ours[0]?.stdout ?? '{}'));
  say('Assay: how sure a result is', own ? 'an interval beside every mean' : 'NOT STATED');
  const help = await timeProcess(process.execPath, [installed.program, '--help'], {
    cwd: folder,
    env: promptfooEnv(folder),
  });
  const only = ELSEWHERE.filter((name) => new RegExp(`^ {2}${name} `, 'm').test(help.stdout));
  say('promptfoo: commands Assay has no match for', only.join(', '));
  await compareSilence(evaluate);
}

async function compareSilence(evaluate: (config: string, out: string) => Promise<Ended>): Promise<void> {
  const tests = SILENCE.map(({ output, ...test }) => ({ ...test, vars: { output } }));
  writeFileSync(
    join(folder, 'silence.json'),
    JSON.stringify({ prompts: ['{{output | safe}}'], providers: ['echo'], tests }),
  );
  await evaluate('silence.json', 'silence-out.json');
  const { results } = JSON.parse(readFileSync(join(folder, 'silence-out.json'), 'utf8')) as {
    results: { results: { testCase: { description: string }; success: boolean }[] };
  };
  for (const { testCase, success } of results.results)
    say(`promptfoo: silence under ${testCase.description}`.slice(0, 60), success ? 'passes' : 'fails');
  const golden = join(ROOT, 'examples/decomposition/golden');
  for (const [name, text] of [
    ['no files', undefined],
    ['empty lists', '{"concepts":[],"relationships":[]}'],
  ] as const) {
    const outputs = join(folder, `silent-${name}`);
    mkdirSync(outputs);
    for (const path of globSync(join(golden, '*.gold.json')))
      if (text !== undefined) writeFileSync(join(outputs, basename(path).replace('.gold', '')), text);
    const run = [
      'decomposition',
      'run',
      '--golden',
      golden,
      '--outputs',
      outputs,
      '--no-semantic',
      '--no-history',
    ];
    const { status } = await assay(run, folder);
    say(`Assay: silence, ${name}`, `exit code ${status}${status === 0 ? ': PASSES' : ', does not pass'}`);
  }
}

type Usage = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
};

const sayUsage = ({ input, output, cacheRead, cacheWrite }: Usage) =>
  [input, output, cacheRead, cacheWrite].map((count) => count.toLocaleString('en')).join(' / ');

function usageOf({ stdout }: Ended): Usage {
  const { totals } = JSON.parse(stdout);
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = totals;
  return {
    input: inputTokens,
    output: outputTokens,
    cacheRead: cacheReadTokens,
    cacheWrite: cacheCreationTokens,
  };
}

function ownUsage({ stdout }: Ended): Usage {
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, number | null>);
  const sum = (column: string) => rows.reduce((total, row) => total + (row[column] ?? 0), 0);
  return {
    input: sum('input_tokens'),
    output: sum('output_tokens'),
    cacheRead: sum('cache_read_tokens'),
    cacheWrite: sum('cache_write_tokens'),
  };
}

const SCORE = ['sessions', 'score', '--no-store', '--no-git', '--format', 'jsonl'];

function put(home: string, name: string, text: string): void {
  const path = join(home, '.claude/projects/p', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function compareCcusage(): Promise<void> {
  const binary = installCcusage();
  if (binary === undefined) {
    say(`ccusage ${CCUSAGE}`, 'not run here: npm could not install it');
    return;
  }
  const modules = join(dirname(binary), '../../..');
  say(
    `ccusage ${CCUSAGE}: installed`,
    sayInstalled([modules], lockedPackages(join(modules, '../package-lock.json'))),
  );
  const count = (home: string) =>
    timeProcess(binary, ['claude', 'session', '--json', '--offline'], { cwd: folder, env: plainEnv(home) });
  await compareResumed(count);
  if (!existsSync(TRANSCRIPTS)) {
    say('41 real transcripts', 'not counted here: ../shared/data is not there');
    return;
  }
  const home = join(folder, 'real-home');
  for (const path of globSync(join(TRANSCRIPTS, '*.jsonl')))
    put(home, basename(path), readFileSync(path, 'utf8'));
  const theirs = await rounds(() => count(home));
  const fresh = await rounds(() => assay([...SCORE, '--fresh'], folder, home));
  const again = await rounds(() => assay(SCORE, folder, home));
  const [their, own] = [sayUsage(usageOf(theirs[0] as Ended)), sayUsage(ownUsage(fresh[0] as Ended))];
  say('ccusage: real transcripts', sayTimed(theirs));
  say('Assay: the same, read anew', `${sayTimed(fresh)}; scored as well`);
  say('Assay: the same, read before', sayTimed(again));
  say(
    'tokens of real transcripts',
    `ccusage ${their}; Assay ${own}; ${their === own ? 'same' : 'DIFFERENT'}`,
  );
}

/** What a transcript says was used, each message once. */
function usedIn(lines: readonly string[]): Usage {
  const used = new Map<string, Record<string, number>>();
  for (const line of lines) {
    const { message } = JSON.parse(line) as { message?: { id?: string; usage?: Record<string, number> } };
    if (message?.id !== undefined && message.usage !== undefined) used.set(message.id, message.usage);
  }
  const sum = (key: string) => [...used.values()].reduce((total, one) => total + (one[key] ?? 0), 0);
  return {
    input: sum('input_tokens'),
    output: sum('output_tokens'),
    cacheRead: sum('cache_read_input_tokens'),
    cacheWrite: sum('cache_creation_input_tokens'),
  };
}

/** A session, and the same resumed under another id: both files have its lines. */
async function compareResumed(count: (home: string) => Promise<Ended>): Promise<void> {
  const [path = ''] = globSync(join(ROOT, 'examples/session/site/3333*.jsonl'));
  // Without spaces, as the agent writes it.
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.stringify(JSON.parse(line)));
  const text = `${lines.join('\n')}\n`;
  const home = join(folder, 'resumed-home');
  const id = basename(path, '.jsonl');
  const resumed = id.replace(/^3/, '9');
  put(home, `${id}.jsonl`, text);
  put(home, `${resumed}.jsonl`, text.replaceAll(id, resumed));
  const truth = sayUsage(usedIn(lines));
  const theirs = sayUsage(usageOf(await count(home)));
  const own = sayUsage(ownUsage(await assay(SCORE, folder, home)));
  const verdict = (counted: string) => (counted === truth ? 'counts it once' : `COUNTS ${counted}`);
  say('tokens of a session that was resumed', `${truth}; ccusage ${verdict(theirs)}; Assay ${verdict(own)}`);
}

/** What is not on npm: tried by its own client, briefly. */
function sayMissing(): void {
  const pip = [
    '-m',
    'pip',
    'download',
    'inspect-ai',
    '--no-deps',
    '--retries',
    '0',
    '--timeout',
    '5',
    '-d',
    folder,
  ];
  const inspect = spawnSync('python3', pip, { stdio: 'ignore', timeout: 60_000 }).status === 0;
  say(
    'Inspect AI',
    inspect
      ? 'can be had here, and is not compared yet'
      : 'not run here: it is on PyPI, which is not reached from here',
  );
  const view = spawnSync('agentsview', ['--version'], { encoding: 'utf8' });
  say(
    'agentsview',
    view.status === 0
      ? `${view.stdout.trim()} is here, and is not compared yet`
      : 'not run here: its programs are released outside of npm, and none is installed',
  );
}

try {
  say('Assay: installed', ownInstallation());
  const scored = await rounds(() => assay(['example'], folder));
  say('Assay: first result, no key', `${sayTimed(scored)} (assay example)`);
  await comparePromptfoo();
  await compareCcusage();
  for (const line of compareScorecards(folder) ?? [
    'scorecards of OWASP: not compared here: ../shared/data is not there',
  ])
    console.log(line);
  sayMissing();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
