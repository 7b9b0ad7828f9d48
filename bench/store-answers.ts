/**
 * What questions to a store of many sessions cost as people ask them: `node bench/store-answers.ts [sessions]` (a million
 * by default). Makes a store of sessions with facts of the usual size, then runs the real commands with `--from-store`.
 * The floor is bare node in the same run; processor time and memory are those of the whole process.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usualScoring } from '../src/operations/session/stored/stored-scores.ts';
import { factsWith, runWith } from '../src/session/run-with.ts';
import { openStore } from '../src/store/open.ts';
import type { SessionRow } from '../src/store/session-row.ts';
import type { Json } from '../src/store/store.ts';

const COUNT = Number(process.argv[2] ?? 1_000_000);
const DAY_MS = 86_400_000;
const DAYS = 180;
const START = Date.UTC(2026, 0, 1);
const BATCH = 2000;
const TYPES = ['coding', 'chat', 'research', 'operations', 'discovery', 'heartbeat'];

/** Numbers that look random and are the same in every run. */
function noise(i: number, salt: number): number {
  const x = Math.imul(i ^ (salt * 0x9e3779b1), 0x85ebca6b);
  const y = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return ((y ^ (y >>> 16)) >>> 0) / 2 ** 32;
}

function makeRow(i: number, scoring: ReturnType<typeof usualScoring>): SessionRow {
  const at = START + Math.floor(((i + noise(i, 1)) / COUNT) * DAYS * DAY_MS);
  const q = 0.2 + 0.8 * noise(i, 2) ** 0.5;
  const name = (salt: number, n: number) => Math.floor(noise(i, salt) ** 2 * n);
  const id = `${(noise(i, 3) * 2 ** 32).toString(16).slice(0, 8)}-0000-4000-8000-${String(i).padStart(12, '0')}`;
  const run = {
    ...runWith(),
    startedAt: at,
    endedAt: at + 1_800_000,
    turns: name(4, 40),
    replies: name(5, 200),
  };
  const facts = { facts: { ...factsWith([run]), sessionId: id }, file: fileOf(id) };
  return {
    sessionKey: (noise(i, 6) * 2 ** 52).toString(36).padEnd(14, '0') + i.toString(36),
    sessionId: id,
    revision: i.toString(16).padStart(64, 'f'),
    scoredAt: new Date(at + 3_600_000).toISOString(),
    source: 'claude-code',
    agent: `agent-${name(7, 4)}`,
    taskType: TYPES[name(8, TYPES.length)] ?? 'chat',
    model: `model-${name(9, 6)}`,
    project: `/home/dev/projects/service-${name(10, 40)}`,
    startedAt: new Date(at).toISOString(),
    endedAt: new Date(at + 1_800_000).toISOString(),
    q,
    tier:
      q >= 0.9 ? 'excellent' : q >= 0.75 ? 'good' : q >= 0.6 ? 'acceptable' : q >= 0.4 ? 'poor' : 'failed',
    completion: noise(i, 11),
    execution: noise(i, 12),
    coverage: 0.5 + noise(i, 13) / 2,
    inputTokens: Math.floor(noise(i, 14) * 100_000),
    outputTokens: Math.floor(noise(i, 15) * 10_000),
    turns: run.turns,
    costUsd: noise(i, 16),
    runs: 1,
    skippedLines: 0,
    ...scoring,
    facts: facts as unknown as Json,
  };
}

function fileOf(id: string) {
  return {
    path: `/home/dev/.claude/projects/service/${id}.jsonl`,
    lines: 90,
    skipped: {},
    unknownRecords: {},
  };
}

async function fill(path: string): Promise<void> {
  const store = await openStore(path);
  const scoring = usualScoring();
  const start = process.cpuUsage();
  for (let i = 0; i < COUNT; i += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, COUNT - i) }, (_, k) => makeRow(i + k, scoring));
    await store.appendSessions(rows);
  }
  const { user, system } = process.cpuUsage(start);
  await store.close();
  const perSecond = Math.round(COUNT / ((user + system) / 1e6));
  console.log(
    `${COUNT.toLocaleString('en')} sessions: ${Math.round(statSync(path).size / COUNT)} bytes each, stored at ${perSecond.toLocaleString('en')} per processor second`,
  );
}

/** The kernel's own mark of this process: that of `resourceUsage` begins with the parent's. */
const USED = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const [, kilobytes] = /VmHWM:\\s+(\\d+)/.exec(require('node:fs').readFileSync('/proc/self/status', 'utf8')) ?? [];
  const used = [(userCPUTime + systemCPUTime) / 1000, Number(kilobytes) / 1024];
  require('node:fs').writeSync(2, '\\nUSED ' + JSON.stringify(used));
});`;

function measure(args: readonly string[], cwd: string): readonly [ms: number, mb: number] {
  const preload = `data:text/javascript,import{createRequire}from'node:module';const require=createRequire('file:///');${encodeURIComponent(USED)}`;
  const once = () => {
    const { stderr } = spawnSync(process.execPath, ['--import', preload, ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, HOME: cwd, NODE_COMPILE_CACHE: join(cwd, 'compiled') },
      maxBuffer: 2 ** 28,
    });
    return JSON.parse(stderr.slice(stderr.lastIndexOf('USED ') + 5)) as [number, number];
  };
  const rounds = [once(), once(), once()].sort((a, b) => a[0] - b[0]);
  return rounds[1] ?? [Number.NaN, Number.NaN];
}

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
try {
  const path = join(folder, 'store.db');
  await fill(path);
  const launcher = join(import.meta.dirname, '../bin/assay.js');
  const [floorMs, floorMb] = measure(['-e', '0'], folder);
  console.log(
    `${'floor: bare node'.padEnd(26)} ${floorMs.toFixed(0).padStart(6)} ms ${floorMb.toFixed(0).padStart(5)} MB`,
  );
  const until = new Date(START + DAYS * DAY_MS).toISOString();
  for (const question of [
    ['sources'],
    ['roi'],
    ['roi', '--by', 'agent'],
    ['roi', '--by', 'day'],
    ['frontier'],
    ['flags'],
    ['digest', '--week', '--until', until],
  ]) {
    const stored = question[0] === 'sources' ? [] : ['--from-store', '--no-git', '--store', path];
    const [ms, mb] = measure([launcher, 'sessions', ...question, ...stored], folder);
    const name = question.filter((word) => word !== until && word !== '--until').join(' ');
    console.log(
      `${name.padEnd(26)} ${ms.toFixed(0).padStart(6)} ms ${mb.toFixed(0).padStart(5)} MB ${(ms / floorMs).toFixed(1).padStart(6)} × floor`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
