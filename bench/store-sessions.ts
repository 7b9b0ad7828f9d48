/**
 * Generated stored sessions, the same in every run: half a year of 40 projects, each with its usual agent and models,
 * unevenly used; facts with tool calls, lines, and for coding hashes of written lines, in the sizes that transcripts of
 * Claude Code and others have (1.5 to 4 kB as JSON).
 */
import { factsWith, runWith } from '../src/session/example-session.ts';
import { openStore } from '../src/store/open.ts';
import type { SessionRow } from '../src/store/schema/session.ts';
import type { Json } from '../src/store/store.ts';
import { scoredWith } from '../src/sync.ts';

const DAY_MS = 86_400_000;
const DAYS = 180;
export const START = Date.UTC(2026, 0, 1);
export const END = START + DAYS * DAY_MS;
/** Twenty times what a reading of transcripts hands over at once, which makes a large store sooner. */
const BATCH = 10_000;
const TYPES = ['coding', 'chat', 'research', 'operations', 'discovery', 'heartbeat'] as const;
const MODELS = [
  'claude-opus-4-6',
  'claude-sonnet-4-5',
  'gpt-5.2',
  'gemini-3-flash',
  'kimi-k2.7-code',
  'gpt-5-mini',
];
const AGENTS = ['claude-code', 'codex', 'openclaw', 'gemini-cli'];

/** Numbers that look random and are the same in every run. */
function noise(i: number, salt: number): number {
  const x = Math.imul(i ^ (salt * 0x9e3779b1), 0x85ebca6b);
  const y = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return ((y ^ (y >>> 16)) >>> 0) / 2 ** 32;
}

/** One of n; the first is picked most often. */
function pick(i: number, salt: number, n: number): number {
  return Math.floor(noise(i, salt) ** 2 * n);
}

function hex(i: number, salt: number, length: number): string {
  let text = '';
  for (let k = 0; text.length < length; k += 1)
    text += Math.floor(noise(i, salt + k * 31) * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return text.slice(0, length);
}

function lines(i: number, salt: number, most: number, n: number): number[] {
  return Array.from({ length: pick(i, salt, n + 1) }, (_, k) =>
    Math.floor(noise(i, salt + k + 1) * most),
  ).sort((a, b) => a - b);
}

export function makeRow(i: number, count: number, scoring: ReturnType<typeof scoredWith>): SessionRow {
  const at = START + Math.floor(((i + noise(i, 1)) / count) * DAYS * DAY_MS);
  const q = 0.2 + 0.8 * noise(i, 2) ** 0.5;
  const project = pick(i, 10, 40);
  const folder = `/home/dev/projects/service-${project}`;
  const id = `${hex(i, 3, 8)}-${hex(i, 4, 4)}-4${hex(i, 5, 3)}-8${hex(i, 6, 3)}-${hex(i, 7, 12)}`;
  // A project has an agent of its own and two usual models; one session in ten has others.
  const usual = noise(i, 20) < 0.9;
  const agent = AGENTS[(usual ? project : pick(i, 21, 99)) % AGENTS.length] ?? 'codex';
  const model = MODELS[(usual ? project + pick(i, 22, 2) : pick(i, 23, 99)) % MODELS.length] ?? 'gpt-5.2';
  const taskType = TYPES[usual ? (project + pick(i, 24, 2)) % 3 : pick(i, 8, TYPES.length)] ?? 'chat';
  const facts = factsOf(i, { id, at, folder, agent, model, taskType });
  const endedAt = at + Math.floor(noise(i, 25) * 7_200_000);
  return {
    sessionKey: hex(i, 26, 24),
    sessionId: id,
    revision: hex(i, 27, 64),
    scoredAt: new Date(at + 9_000_000).toISOString(),
    source: agent,
    agent,
    taskType,
    model,
    ...(noise(i, 28) < 0.05 && { otherModels: MODELS[pick(i, 29, 6)] ?? 'gpt-5.2' }),
    project: folder,
    startedAt: new Date(at).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    q,
    tier:
      q >= 0.9 ? 'excellent' : q >= 0.75 ? 'good' : q >= 0.6 ? 'acceptable' : q >= 0.4 ? 'poor' : 'failed',
    completion: noise(i, 11),
    execution: noise(i, 12),
    ...(noise(i, 30) < 0.6 && { efficiency: noise(i, 31) }),
    ...(noise(i, 32) < 0.4 && { outcome: Math.round(noise(i, 33) * 10) / 10 }),
    coverage: 0.5 + noise(i, 13) / 2,
    inputTokens: Math.floor(noise(i, 14) * 100_000),
    outputTokens: Math.floor(noise(i, 15) * 10_000),
    cacheReadTokens: Math.floor(noise(i, 34) * 5_000_000),
    cacheWriteTokens: Math.floor(noise(i, 35) * 300_000),
    turns: 1 + pick(i, 36, 40),
    toolCalls: pick(i, 37, 200),
    toolErrors: pick(i, 38, 10),
    compactions: 0,
    costUsd: Math.round(noise(i, 16) * 5e6) / 1e6,
    roi: q / (Math.round(noise(i, 16) * 5e6) / 1e6),
    runs: 1,
    skippedLines: 0,
    attention: noise(i, 39) < 0.15 ? 2 + Math.round(noise(i, 40) * 40) / 10 : 0,
    ...scoring,
    facts: facts as unknown as Json,
  };
}

type Told = { id: string; at: number; folder: string; agent: string; model: string; taskType: string };

function factsOf(i: number, { id, at, folder, agent, model, taskType }: Told) {
  const last = 20 + pick(i, 50, 1500);
  const run = {
    ...runWith(),
    firstLine: 1,
    lastLine: last,
    endLine: last,
    startedAt: at,
    endedAt: at + Math.floor(noise(i, 25) * 7_200_000),
    turns: 1 + pick(i, 36, 40),
    replies: pick(i, 51, 200),
    outputChars: Math.floor(noise(i, 52) * 40_000),
    finalReplyLine: last,
    correctionLines: lines(i, 53, last, 4),
    models: [
      {
        model,
        messages: pick(i, 51, 200),
        usage: {
          input: Math.floor(noise(i, 14) * 100_000),
          output: Math.floor(noise(i, 15) * 10_000),
          cacheRead: Math.floor(noise(i, 34) * 5_000_000),
          cacheWrite: Math.floor(noise(i, 35) * 300_000),
        },
        messagesWithoutUsage: 0,
      },
    ],
    tools: {
      calls: pick(i, 37, 200),
      succeeded: pick(i, 37, 190),
      failed: pick(i, 38, 10),
      denied: 0,
      unknown: 0,
      firstAttemptSuccesses: pick(i, 37, 180),
      failedLines: lines(i, 60, last, 8),
      deniedLines: [],
    },
    artifacts: [{ artifact: 'file' as const, made: pick(i, 70, 9), failed: 0, lines: lines(i, 71, last, 8) }],
  };
  const files = Array.from({ length: taskType === 'coding' ? 1 + pick(i, 80, 9) : 0 }, (_, k) => ({
    ends: Array.from({ length: 6 }, (_, n) => Math.floor(noise(i, 90 + k * 7 + n) * 2 ** 32)),
    inside: true,
    firstAt: at + k * 60_000,
    lastAt: at + k * 90_000,
    wrote: Buffer.from(hex(i, 200 + k, 48 + 12 * pick(i, 300 + k, 9)), 'hex').toString('base64'),
  }));
  const facts = {
    ...factsWith([run]),
    source: agent,
    agent,
    sessionId: id,
    project: folder,
    origin: hex(i, 81, 10),
    ...(files.length > 0 && { written: { oneIn: 1, files, commits: [] } }),
  };
  const path = `/home/dev/.claude/projects/${folder.replace(/[^a-zA-Z0-9]/g, '-')}/${id}.jsonl`;
  return { facts, file: { path, lines: last, skipped: {}, unknownRecords: {} } };
}

/** CPU time of storing them, in seconds, without generating them. */
export async function fillStore(path: string, count: number): Promise<number> {
  const store = await openStore(path);
  const scoring = scoredWith({});
  let spent = 0;
  for (let i = 0; i < count; i += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - i) }, (_, k) => makeRow(i + k, count, scoring));
    const start = process.cpuUsage();
    await store.appendSessions(rows);
    const { user, system } = process.cpuUsage(start);
    spent += (user + system) / 1e6;
  }
  await store.close();
  return spent;
}
