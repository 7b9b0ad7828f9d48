/** Random stories of sessions: new ones, re-scored ones, late ones and prunings, and questions about them. */
import fc from 'fast-check';
import { DIMENSIONS, type RollupQuery } from '../rollup.ts';
import type { SessionRow } from '../schema/session.ts';
import type { SessionOrder, SessionQuery } from '../store.ts';
import { session } from './records.ts';

export type Chapter = { readonly rows: readonly SessionRow[] } | { readonly before: string };

// Ends of hours, days, weeks, months and years, before 1970 too, and moments between them.
const MOMENTS = [
  '1969-12-31T23:30:00.000Z',
  '2025-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:30:00.000Z',
  '2026-01-03T02:20:00.000Z',
  '2026-01-30T20:10:00.000Z',
  '2026-01-31T12:00:00.000Z',
  '2026-02-01T00:00:00.000Z',
  '2026-02-01T23:59:59.999Z',
  '2026-02-02T00:00:00.000Z',
  '2026-02-02T01:15:00.000Z',
  '2026-03-15T10:10:10.010Z',
];
const moment = fc.constantFrom(...MOMENTS);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const names = {
  taskType: fc.constantFrom('coding', 'chat'),
  model: fc.constantFrom('big', 'small'),
  agent: fc.constantFrom('a', 'ä'),
  project: fc.constantFrom('/one', '/two'),
  otherModels: fc.constantFrom('small', 'Big\nhuge'),
  source: fc.constantFrom('x', 'y'),
};
const known = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter((entry) => entry[1] !== undefined)) as T;

const content = fc.record({
  ...names,
  model: maybe(names.model),
  agent: maybe(names.agent),
  project: maybe(names.project),
  otherModels: maybe(names.otherModels),
  attention: maybe(fc.constantFrom(0, 2, 3.5)),
  corrections: maybe(fc.constantFrom(0, 2)),
  linesWritten: maybe(fc.constantFrom(0, 9)),
  riskyActions: maybe(fc.constantFrom(0, 1, 3)),
  startedAt: maybe(moment),
  q: maybe(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.4, 0.75, 1))),
  tier: maybe(fc.constantFrom('excellent', 'good', 'acceptable', 'poor', 'failed', 'unheard of')),
  verified: maybe(fc.constantFrom('yes', 'no', 'failed')),
  parentSessionId: maybe(fc.constantFrom('a', 'ß')),
  coverage: fc.double({ min: 0, max: 1, noNaN: true }),
  completion: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
  outcome: maybe(fc.constantFrom(0, 1)),
  scorerVersion: fc.constantFrom('1', '2'),
  weights: maybe(fc.constantFrom('documented', 'own')),
  costUsd: maybe(fc.oneof(fc.double({ min: 0, max: 50, noNaN: true }), fc.constantFrom(0, 2, 1e300))),
  turns: maybe(fc.constantFrom(0, 1, 7, 7.5)),
  inputTokens: maybe(fc.nat()),
  outputTokens: maybe(fc.nat()),
  cacheReadTokens: maybe(fc.nat()),
  cacheWriteTokens: maybe(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
});

/** A revision identifies its content, as a hash would; the same one may come again, scored earlier or later. */
const row = fc
  .tuple(fc.constantFrom('a', 'b', 'c', 'd', 'ß'), fc.nat({ max: 3 }), moment)
  .chain(([sessionId, revision, scoredAt]) => fc.constant({ sessionId, revision: `r${revision}`, scoredAt }));

const contents = fc.array(content, { minLength: 20, maxLength: 20 });

export const story: fc.Arbitrary<readonly Chapter[]> = fc
  .tuple(
    contents,
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.record({ rows: fc.array(row, { maxLength: 8 }) }) },
        { weight: 1, arbitrary: fc.record({ before: moment }) },
      ),
      { maxLength: 6 },
    ),
  )
  .map(([all, chapters]) =>
    chapters.map((chapter) =>
      'before' in chapter
        ? chapter
        : {
            rows: chapter.rows.map(({ sessionId, revision, scoredAt }) => {
              const place = 'abcdß'.indexOf(sessionId) * 4 + Number(revision.slice(1));
              const part = known(all[place] ?? {});
              return session(sessionId, revision, { ...(part as Partial<SessionRow>), scoredAt });
            }),
          },
    ),
  );

const narrowed = {
  since: maybe(moment),
  until: maybe(moment),
  taskType: maybe(names.taskType),
  model: maybe(names.model),
  agent: maybe(names.agent),
  project: maybe(names.project),
  source: maybe(names.source),
  projectNamed: maybe(fc.constantFrom('/one', 'two')),
  agentOrSource: maybe(fc.constantFrom('A', 'Ä', 'x')),
  modelPart: maybe(fc.constantFrom('BIG', 'u', 'none')),
};

export const rollupQuery: fc.Arbitrary<RollupQuery> = fc
  .record({
    ...narrowed,
    bucket: maybe(fc.constantFrom('hour' as const, 'day' as const, 'week' as const, 'month' as const)),
    by: fc.subarray([...DIMENSIONS]),
    histograms: fc.boolean(),
    coverageFrom: fc.option(fc.constant(0.5), { nil: undefined, freq: 4 }),
  })
  .map((query) => known(query) as RollupQuery);

export const sessionQuery: fc.Arbitrary<SessionQuery> = fc
  .record({
    ...narrowed,
    tier: maybe(fc.constantFrom('good', 'poor')),
    qBelow: maybe(fc.constantFrom(0.4, 0.75, 1)),
    coverageFrom: maybe(fc.constant(0.5)),
    sessionId: fc.option(fc.constantFrom('a', 'ß', 'none'), { nil: undefined, freq: 5 }),
    parentSessionId: fc.option(fc.constantFrom('a', 'ß', 'none'), { nil: undefined, freq: 5 }),
    search: fc.option(fc.constantFrom('ONE', 'a', 'Ä', 'cod', 'huge', 'none', 'key of a'), {
      nil: undefined,
      freq: 3,
    }),
    order: maybe(
      fc.constantFrom<SessionOrder[]>(
        'oldest',
        'newest',
        'lowest Q',
        'costliest',
        'longest',
        'needs attention',
      ),
    ),
  })
  .map((query) => known(query) as SessionQuery);
