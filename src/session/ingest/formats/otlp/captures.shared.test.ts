/**
 * What real instrumentations export for three scripted conversations: every fact that a capture carries is read right,
 * whatever the convention, the encoding and the way the spans are spread over lines and files.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionFacts } from '../../../evidence.ts';
import { readAll } from '../../read-all.ts';

const SHARED = '../shared/data/session/otlp-captures';

type Expected = {
  readonly sessionIdSetByApp: string | null;
  readonly requestModel: string;
  readonly responseModel: string;
  readonly userMessages: number;
  readonly correction: boolean;
  readonly modelCalls: number;
  readonly modelErrors: number;
  readonly toolCalls: number;
  readonly toolErrors: number;
  readonly end: string;
  readonly inputTotal: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly finalText: string | null;
};

/** What an instrumentation leaves out of its spans, so that no reader could know it. */
const LOST: readonly (readonly [files: RegExp, facts: readonly (keyof Read)[]])[] = [
  [/^anthropic-sdk-native/, ['turns', 'corrections', 'calls', 'failed', 'finalChars']],
  [/^otel-instrumentation-openai|^elastic/, ['cacheRead']],
  [/-nocontent-/, ['corrections', 'failed', 'finalChars']],
  [/^traceloop/, ['cacheRead']],
  [/^vercel-ai(-root|-retries)?-5/, ['cacheRead']],
  [/^openinference-openai-(responses-)?4.*error500/, ['end']],
  [/^traceloop-sdk.*error500/, ['end']],
];

const read = {
  sessions: (all: readonly SessionFacts[]) => all.length,
  sessionId: ([one]: readonly SessionFacts[]) => one?.sessionId,
  turns: (all: readonly SessionFacts[]) => sum(all, (run) => run.turns),
  corrections: (all: readonly SessionFacts[]) => sum(all, (run) => run.corrections),
  replies: (all: readonly SessionFacts[]) => sum(all, (run) => run.replies),
  calls: (all: readonly SessionFacts[]) => sum(all, (run) => run.tools.calls),
  failed: (all: readonly SessionFacts[]) => sum(all, (run) => run.tools.failed),
  spawned: (all: readonly SessionFacts[]) => sum(all, (run) => run.spawned),
  end: (all: readonly SessionFacts[]) => all.at(-1)?.runs.at(-1)?.end,
  finalChars: (all: readonly SessionFacts[]) => all.at(-1)?.runs.at(-1)?.finalReplyChars,
  model: (all: readonly SessionFacts[]) =>
    [
      ...new Set(all.flatMap(({ runs }) => runs.flatMap(({ models }) => models.map(({ model }) => model)))),
    ].join(),
  input: (all: readonly SessionFacts[]) =>
    usage(all, ({ input, cacheRead, cacheWrite }) => input + cacheRead + cacheWrite),
  cacheRead: (all: readonly SessionFacts[]) => usage(all, ({ cacheRead }) => cacheRead),
  cacheWrite: (all: readonly SessionFacts[]) => usage(all, ({ cacheWrite }) => cacheWrite),
  output: (all: readonly SessionFacts[]) => usage(all, ({ output }) => output),
};
type Read = typeof read;

type Run = SessionFacts['runs'][number];
type Usage = Run['models'][number]['usage'];

function sum(all: readonly SessionFacts[], count: (run: Run) => number): number {
  return all.flatMap(({ runs }) => runs).reduce((total, run) => total + count(run), 0);
}

function usage(all: readonly SessionFacts[], count: (usage: Usage) => number): number {
  return sum(all, ({ models }) => models.reduce((total, one) => total + count(one.usage), 0));
}

const LAST_WORDS_BEFORE_AN_ERROR = 'I will read the config file.';

function truth(name: string, expected: Expected): Partial<Record<keyof Read, unknown>> {
  const lost = new Set(LOST.flatMap(([files, facts]) => (files.test(name) ? facts : [])));
  const all: Record<keyof Read, unknown> = {
    sessions: 1,
    sessionId: expected.sessionIdSetByApp,
    turns: expected.userMessages,
    corrections: expected.correction ? 1 : 0,
    replies: expected.modelCalls,
    calls: expected.toolCalls,
    failed: expected.toolErrors,
    spawned: 0,
    end: expected.end,
    finalChars: (expected.finalText ?? LAST_WORDS_BEFORE_AN_ERROR).length,
    model: expected.responseModel,
    input: expected.inputTotal,
    cacheRead: expected.cacheRead,
    cacheWrite: expected.cacheWrite,
    output: expected.output,
  };
  if (expected.sessionIdSetByApp === null) lost.add('sessionId');
  return Object.fromEntries(Object.entries(all).filter(([fact]) => !lost.has(fact as keyof Read)));
}

async function readFacts(paths: readonly string[], wanted: readonly string[]) {
  const { sessions } = await readAll(paths);
  const all = sessions.map(({ facts }) => facts);
  return Object.fromEntries(wanted.map((fact) => [fact, read[fact as keyof Read](all)]));
}

const isHere = existsSync(SHARED);
const files = isHere ? readdirSync(SHARED) : [];
const expectations: Record<string, Expected> = isHere
  ? JSON.parse(readFileSync(join(SHARED, 'expected.json'), 'utf8'))
  : {};
/** `.pb` beside `.json` holds the same spans. */
const captures = files
  .filter((file) => /\.(?:traces\.(?:json|pb)|lines\.jsonl)$/.test(file))
  .map((file) => [file, expectations[file] ?? expectations[file.replace(/\.pb$/, '.json')]] as const)
  .filter((entry): entry is readonly [string, Expected] => entry[1] !== undefined);

describe.skipIf(!isHere)('captured exports', () => {
  it('are all expected', () => {
    expect(captures.length).toBeGreaterThanOrEqual(Object.keys(expectations).length);
  });

  it.each(captures)('%s', async (file, expected) => {
    const logs = file.replace('.traces.', '.logs.');
    const paths = [file, ...(logs !== file && files.includes(logs) ? [logs] : [])].map((one) =>
      join(SHARED, one),
    );
    const facts = truth(file, expected);
    expect(await readFacts(paths, Object.keys(facts))).toEqual(facts);
  });
});
