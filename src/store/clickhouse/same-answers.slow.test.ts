/** SQLite and ClickHouse, given the same, answer every question alike. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { anyQuestion } from '../testing/any-question.ts';
import { anyRecords, appendAll, pruning } from '../testing/any-records.ts';
import { type Chapter, story } from '../testing/session-story.ts';
import { openClickHouseStore } from './clickhouse-store.ts';
import { ClickHouseServer, missingClickHouse } from './testing/clickhouse-server.ts';

const missing = missingClickHouse();
const [STORIES, QUESTIONS] = [Number(process.env.ASSAY_RUNS ?? 6), 80];

const scenario = fc.record({
  chapters: story,
  batch: anyRecords,
  prunings: fc.array(pruning, { maxLength: 3 }),
  size: fc.integer({ min: 1, max: 15 }),
  questions: fc.array(anyQuestion, { minLength: QUESTIONS, maxLength: QUESTIONS }),
});

if (missing !== undefined) it.skip(`SQLite and ClickHouse answer alike (${missing})`, () => {});
else {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await ClickHouseServer.start();
  }, 120_000);
  afterAll(() => server.stop());

  const seed = Number(process.env.ASSAY_SEED);
  it.each(fc.sample(scenario, { seed, numRuns: STORIES }).map((one, i) => ({ one, i })))(
    `SQLite and ClickHouse answer every question alike, story $i of ASSAY_SEED=${seed}`,
    async ({ one: { chapters, batch, prunings, size, questions } }) => {
      const file = await openStore(':memory:');
      const database = await openClickHouseStore(await server.emptied('same'));
      try {
        const both = async (ask: (store: Store) => Promise<unknown>, asked: string) => {
          const [expected, given] = [await ask(file), await ask(database)];
          expect.soft(given, asked).toEqual(expected);
        };
        for (const chapter of chapters) await both((store) => tell(store, chapter), 'sessions');
        await both((store) => appendAll(store, batch, size), 'appended');
        for (const { kind, before } of prunings)
          await both((store) => store.prune(kind, before), `prune ${kind} before ${before}`);
        for (const { asked, ask } of questions) await both(ask, asked);
      } finally {
        await file.close();
        await database.close();
      }
    },
  );
}

function tell(store: Store, chapter: Chapter): Promise<unknown> {
  return 'before' in chapter ? store.prune('sessions', chapter.before) : store.appendSessions(chapter.rows);
}
