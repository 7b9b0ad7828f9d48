import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FileReading } from '../../../session/evidence.ts';
import { factsWith, runWith } from '../../../session/run-facts.ts';
import { scoreSession } from '../../../session/score-session.ts';
import { keyOfSession } from '../../../session/session-key.ts';
import { openStore } from '../../../store/open.ts';
import type { Store } from '../../../store/store.ts';
import type { Ports } from '../../ports.ts';
import { digestSessions } from '../digest-sessions.ts';
import { findFrontier } from '../find-frontier.ts';
import { flagSessions } from '../flag-sessions.ts';
import { SessionKeeper } from '../keep-sessions.ts';
import { listSessions } from '../list-sessions.ts';
import { measureRoi } from '../measure-roi.ts';
import { readScoringOptions } from '../scoring-options.ts';
import type { ScoringChoices, SessionFilter } from '../session-request.ts';
import { surveySessions } from '../survey-sessions.ts';
import { openStoredScores } from './stored-scores.ts';

const NOW = Date.UTC(2026, 10, 12);
const DAY_MS = 86_400_000;
let store: Store;
let ports: Ports;
beforeEach(async () => {
  store = await openStore(':memory:');
  ports = {
    store: async () => store,
    now: () => new Date(NOW),
    newId: () => 'id',
    identity: () => 'ada',
    progress: () => {},
    notKept: () => {},
    signal: new AbortController().signal,
  };
});
afterEach(() => store.close());

const MODELS = ['claude-opus-4-6', 'claude-sonnet-4-5', 'gpt-5-mini'];
const used = fc.record({
  model: fc.constantFrom(...MODELS),
  messages: fc.integer({ min: 1, max: 9 }),
  output: fc.integer({ min: 0, max: 90_000 }),
});
const told = fc.record({
  models: fc.uniqueArray(used, { selector: ({ model }) => model, maxLength: 2 }),
  agent: fc.option(fc.constantFrom('Builder', 'codex'), { nil: undefined }),
  source: fc.constantFrom('claude-code', 'codex'),
  project: fc.option(fc.constantFrom('/one', '/two'), { nil: undefined }),
  daysAgo: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
  corrections: fc.nat({ max: 3 }),
  failed: fc.nat({ max: 6 }),
  end: fc.constantFrom('normal' as const, 'error' as const),
});

async function keepAll(
  all: readonly (typeof told extends fc.Arbitrary<infer T> ? T : never)[],
): Promise<void> {
  const { options } = await readScoringOptions();
  const keeper = new SessionKeeper(store, '2026-11-11T00:00:00.000Z');
  for (const [i, one] of all.entries()) {
    const { models, daysAgo, corrections, failed, end, agent, project, source } = one;
    const startedAt = daysAgo === undefined ? undefined : NOW - daysAgo * DAY_MS - i;
    const run = runWith({
      ...(startedAt !== undefined && { startedAt, endedAt: startedAt + 60_000 }),
      models: models.map(({ model, messages, output }) => ({
        model,
        messages,
        usage: { input: 1000, output, cacheRead: 0, cacheWrite: 0 },
        messagesWithoutUsage: 0,
      })),
      corrections,
      tools: { calls: 6, succeeded: 6 - failed, failed, firstAttemptSuccesses: 6 - failed },
      end,
    });
    const known = { agent, project };
    const facts = factsWith([run], { source, sessionId: `s${i}`, ...known });
    const file: FileReading = {
      path: `/t/${i}.jsonl`,
      lines: 9,
      skipped: i === 3 ? { 'not JSON': { count: 2, firstLine: 4 } } : {},
      unknownRecords: {},
    };
    await keeper.keep({ session: scoreSession(facts, options, keyOfSession(facts, file)), facts, file });
  }
  await keeper.finish();
}

const filters = fc.record(
  {
    since: fc.integer({ min: 0, max: 20 }).map((days) => NOW - days * DAY_MS - 3),
    until: fc.integer({ min: 0, max: 20 }).map((days) => NOW - days * DAY_MS - 3),
    agent: fc.constantFrom('builder', 'CODEX', 'nobody'),
    model: fc.constantFrom('Claude', 'mini', 'none'),
    project: fc.constantFrom('/one', 'two'),
    taskType: fc.constantFrom('coding' as const, 'chat' as const),
    minCoverage: fc.constantFrom(0, 0.5, 0.75, 1),
  },
  { requiredKeys: [] },
);

/** A choice that is about no session, and for which all are scored again. */
const ANEW: ScoringChoices = { taskTypeOf: { nobody: 'chat' } };

/** Every question, with all that it is answered with except the time it took. */
async function answers(filter: SessionFilter, scoring: ScoringChoices = {}): Promise<unknown> {
  const request = { from: 'store', filter, scoring } as const;
  const { elapsedMs: _, files, worthALookInAll: __, ...overview } = await surveySessions(request, ports);
  return {
    overview,
    skipping: files.filter(({ skipped }) => Object.keys(skipped).length > 0),
    roi: await measureRoi({ ...request, by: 'model' }, ports),
    days: await measureRoi({ ...request, by: 'day' }, ports),
    frontier: await findFrontier({ ...request, by: 'agent' }, ports),
    flags: await flagSessions({ ...request, below: 0.9, withUnread: false }, ports),
    digest: await digestSessions({ ...request, days: 7, until: NOW, flagBelow: 0.8 }, ports),
    list: await listSessions({ ...request, sort: 'q', limit: 5 }, ports),
  };
}

it('answers from stored scores as scoring every session again does', () =>
  fc.assert(
    fc.asyncProperty(fc.array(told, { maxLength: 9 }), filters, async (all, filter) => {
      await store.prune('sessions', '2100-01-01');
      await keepAll(all);
      expect(await openStoredScores({ from: 'store', filter }, ports)).toBeDefined();
      const [stored, again] = [await answers(filter), await answers(filter, ANEW)];
      expect(clean(stored)).toEqual(clean(again));
    }),
    { numRuns: 15 },
  ));

/** What was not there to say is not said. */
function clean(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, own: unknown) =>
      ['unread', 'unjoined', 'weightsDoubts', 'scoredOtherwise', 'filteredOut'].includes(key)
        ? undefined
        : own,
    ),
  );
}
