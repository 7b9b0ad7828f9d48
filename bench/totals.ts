/**
 * Tokens and cost of the same files by ccusage and by Assay, agent by agent: `npm run bench:totals`. Each difference
 * has its reason next to it; one without a reason is a fault. Everything is built in a temporary home and removed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CCUSAGE, installCcusage } from './ccusage.ts';
import { buildTotalsHome } from './totals-home.ts';

const LAUNCHER = join(import.meta.dirname, '../bin/assay.js');

type Totals = Record<'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'cost', number>;
type Agent = {
  readonly source: string;
  /** Its command in ccusage. */
  readonly command: string;
  /** Why the tokens, or the cost, are not the same. */
  readonly tokens?: string;
  readonly cost?: string;
};

const FEW = 'no cost here where more than a tenth of the messages carry no counts';

const AGENTS: readonly Agent[] = [
  {
    source: 'claude-code',
    command: 'claude',
    cost: FEW,
  },
  {
    source: 'codex',
    command: 'codex',
    tokens:
      'ccusage leaves out counts in the words of older versions, and a total that begins anew without the count of its request',
    cost: 'follows from the tokens; where no model is named ccusage takes gpt-5, Assay states no cost',
  },
  {
    source: 'gemini',
    command: 'gemini',
    tokens:
      'Assay counts thoughts as output, nothing that was rewound, and no more cached than there was input',
    cost: 'the list of Assay has no gemini-3-pro',
  },
  {
    source: 'opencode',
    command: 'opencode',
    tokens: 'ccusage counts the last step of a message, Assay all of them',
    cost: `${FEW}; ccusage takes the cost of messages, Assay that of their steps`,
  },
  { source: 'openclaw', command: 'openclaw' },
  { source: 'pi', command: 'pi', tokens: 'Assay leaves out a branch that was abandoned', cost: FEW },
  {
    source: 'qwen-code',
    command: 'qwen',
    tokens:
      'Assay takes the cached tokens out of the input they are in, counts thoughts as output, and leaves out an abandoned branch',
    cost: 'the list of Assay has no qwen3-coder',
  },
  {
    source: 'copilot-cli',
    command: 'copilot',
    tokens:
      'ccusage counts one part of a session that was resumed, Assay each, and what was billed where no model says what it used',
    cost: 'follows from the tokens; ccusage adds a quarter for cache writes that OpenAI does not charge for',
  },
  {
    source: 'kimi',
    command: 'kimi',
    tokens: 'ccusage leaves out requests outside of turns, as for a compaction',
    cost: 'follows from the tokens; the lists of prices differ, and where no model is named Assay states no cost',
  },
  {
    source: 'amp',
    command: 'amp',
    tokens: 'ccusage leaves out a message whose usage has no time',
    cost: 'follows from the tokens',
  },
  { source: 'droid', command: 'droid', tokens: 'Assay counts thinking as output' },
  { source: 'hermes', command: 'hermes' },
  {
    source: 'goose',
    command: 'goose',
    tokens: 'Assay takes the cached tokens out of the input they are in',
    cost: 'ccusage does not read the cost that Goose keeps',
  },
  { source: 'grok', command: 'grok' },
  { source: 'antigravity', command: 'antigravity' },
];

function run(program: string, args: readonly string[], home: string): string {
  const env = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: join(home, '.cache') };
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8', maxBuffer: 1e9 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

function theirs(binary: string, command: string, home: string): Totals {
  const { totals } = JSON.parse(run(binary, [command, 'session', '--json', '--offline'], home));
  return {
    input: totals.inputTokens,
    output: totals.outputTokens,
    cacheRead: totals.cacheReadTokens,
    cacheWrite: totals.cacheCreationTokens,
    cost: Math.max(0, totals.totalCost ?? totals.costUSD ?? 0),
  };
}

type ScoredRow = Readonly<Record<string, number | null>> & { readonly source: never };

function ours(rows: readonly ScoredRow[], source: string): Totals {
  const own = rows.filter((row) => row.source === source);
  const sum = (column: string) => own.reduce((total, row) => total + (row[column] ?? 0), 0);
  return {
    input: sum('input_tokens'),
    output: sum('output_tokens'),
    cacheRead: sum('cache_read_tokens'),
    cacheWrite: sum('cache_write_tokens'),
    cost: sum('cost_usd'),
  };
}

function sayTokens({ input, output, cacheRead, cacheWrite }: Totals): string {
  return [input, output, cacheRead, cacheWrite].map((count) => count.toLocaleString('en')).join(' / ');
}

function verdict(isSame: boolean, reason: string | undefined): string {
  return isSame ? 'same' : (reason ?? 'DIFFERENT, and nobody knows why');
}

function compare({ source, tokens, cost }: Agent, their: Totals, own: Totals): string {
  const same = sayTokens(their) === sayTokens(own);
  const close = Math.abs(their.cost - own.cost) < 0.001 * Math.max(their.cost, own.cost) + 1e-9;
  const costs = `$${their.cost.toFixed(4)} | $${own.cost.toFixed(4)} | ${verdict(close, cost)}`;
  return `| \`${source}\` | ${sayTokens(their)} | ${sayTokens(own)} | ${verdict(same, tokens)} | ${costs} |`;
}

const folder = mkdtempSync(join(tmpdir(), 'assay-totals-'));
try {
  const binary = installCcusage();
  if (binary === undefined) console.log('ccusage could not be installed: nothing to compare with.');
  else {
    const home = join(folder, 'home');
    buildTotalsHome(home);
    const scored = run(
      process.execPath,
      [LAUNCHER, 'sessions', 'score', '--no-store', '--no-git', '--format', 'jsonl'],
      home,
    );
    const rows = scored
      .trimEnd()
      .split('\n')
      .map((line): ScoredRow => JSON.parse(line));
    console.log(`Input / output / cache read / cache write; ccusage ${CCUSAGE}\n`);
    console.log(
      '| source | ccusage | Assay | tokens | cost by ccusage | cost by Assay | cost |\n|---|---|---|---|---|---|---|',
    );
    for (const agent of AGENTS)
      console.log(compare(agent, theirs(binary, agent.command, home), ours(rows, agent.source)));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
