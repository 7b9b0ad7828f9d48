import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cellOf, mergeCells, startOf } from '../../decomposition/production/cell.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import type { Promised, WithStore } from '../contract.ts';
import { at, decomposition, decompositionText } from './records.ts';

const BINS = new Array<number>(20).fill(0);

export function describeProduction(withStore: WithStore, promised: Promised, stories: number): void {
  const full: Partial<DecompositionRecord> = {
    at: at(1),
    errorKind: 'timeout',
    status: 'error',
    latencyMs: 812.5,
    costUsd: 0.0123,
    inputTokens: 900,
    outputTokens: 300,
    model: 'openai/gpt-5-mini',
    promptVersion: 'v1.2',
    topic: 'rivers',
    textHash: 'ab'.repeat(32),
    textLength: 1200,
    concepts: 18,
    relationships: 40,
    confidence: { n: 2, sum: 1.7, bins: BINS.with(16, 1).with(18, 1) },
    predicates: { CAUSES: 30, IS_A: 10 },
    sample: { probability: 0.05, stratum: 'rivers/high' },
    quotes: { given: 18, verified: 17 },
    unmentioned: { concepts: 18, unmentioned: 1 },
    experiment: { id: 'e', arm: 'b', keyHash: 'cd' },
  };

  it('keeps requests of production once, with all that is known of them', () =>
    withStore(async (store) => {
      const records = [decomposition('a'), decomposition('b', full)];
      expect(await store.appendDecompositions(records)).toEqual({ added: 2, known: 0 });
      expect(await store.appendDecompositions([...records, decomposition('c')])).toEqual({
        added: 1,
        known: 2,
      });
      expect(await store.readDecompositions()).toEqual([records[0], decomposition('c'), records[1]]);
      expect((await store.productionCells({ by: 'day' })).map(({ requests }) => requests)).toEqual([2, 1]);
    }));

  it('gives those of a version, a model, a topic, an experiment, the failed and the sampled ones', () =>
    withStore(async (store) => {
      await store.appendDecompositions([decomposition('a'), decomposition('b', full), decomposition('c')]);
      const ids = async (query: object) => (await store.readDecompositions(query)).map(({ id }) => id);
      for (const query of [
        { promptVersion: 'v1.2' },
        { model: 'openai/gpt-5-mini' },
        { topic: 'rivers' },
        { status: 'error' },
        { sampledOnly: true },
        { experiment: 'e' },
        { since: at(1) },
        { ids: ['b', 'nobody'] },
      ])
        expect(await ids(query)).toEqual(['b']);
      expect(await ids({ experiment: 'other' })).toEqual([]);
      expect(await ids({ status: 'ok', order: 'newest' })).toEqual(['c', 'a']);
      expect(await ids({ ids: [] })).toEqual([]);
    }));

  it('keeps a text beside its record, and lets it go on its own', () =>
    withStore(async (store) => {
      const text = decompositionText('a', { output: { concepts: [{ label: 'rain' }] } });
      await store.appendDecompositions([decomposition('a')], [text]);
      await store.appendDecompositions([], [decompositionText('late', { at: at(9) })]);
      expect(await store.readDecompositionText('a')).toEqual(text);
      expect(await store.readDecompositionText('nobody')).toBeUndefined();
      expect(await store.prune('decomposition-texts', at(5))).toBe(1);
      expect(await store.readDecompositionText('a')).toBeUndefined();
      expect(await store.readDecompositionText('late')).toEqual(decompositionText('late', { at: at(9) }));
      expect(await store.readDecompositions()).toHaveLength(1);
    }));

  it('keeps sums by hour and day when the requests go, and those by the minute no longer', () =>
    withStore(async (store) => {
      await store.appendDecompositions([
        decomposition('a', { at: at(0) }),
        decomposition('b', { at: at(60) }),
      ]);
      expect(await store.productionCells({ by: 'minute' })).toHaveLength(2);
      expect(await store.prune('decompositions', at(60))).toBe(1);
      expect((await store.readDecompositions()).map(({ id }) => id)).toEqual(['b']);
      expect((await store.productionCells({ by: 'minute' })).map((cell) => cell.at)).toEqual([at(60)]);
      const [hour] = await store.productionCells({ by: 'hour' });
      expect(hour?.requests).toBe(2);
    }));

  it('takes none of them again that was deleted: it is in the sums already', () =>
    withStore(async (store) => {
      const records = [decomposition('a', { at: at(0) }), decomposition('b', { at: at(60) })];
      await store.appendDecompositions(records);
      await store.prune('decompositions', at(60));
      await store.prune('decompositions', at(30));
      expect(
        await store.appendDecompositions(
          [...records, decomposition('c', { at: at(61) })],
          [decompositionText('a', { at: at(0) })],
        ),
      ).toEqual({ added: 1, known: 2 });
      expect((await store.readDecompositions()).map(({ id }) => id)).toEqual(['b', 'c']);
      expect(await store.readDecompositionText('a')).toBeUndefined();
      const days = await store.productionCells({ by: 'day' });
      expect(days.reduce((sum, { requests }) => sum + requests, 0)).toBe(3);
    }));

  it('adds up what it keeps by minute, hour and day, in whatever order and batches it comes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(someRecord, { maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        async (parts, size) =>
          withStore(async (store) => {
            const records = parts.map((part, i) => decomposition(`${i}`, part));
            const shuffled = records.toSorted((a, b) => (a.textHash ?? '').localeCompare(b.textHash ?? ''));
            for (let i = 0; i < shuffled.length; i += size)
              await store.appendDecompositions(shuffled.slice(i, i + size));
            for (const by of ['minute', 'hour', 'day'] as const) {
              const cells = await store.productionCells({ by });
              const expected = mergeCells(
                records.map((record) => cellOf({ ...record, at: startOf(by, record.at) })),
              );
              expect(mergeCells(cells)).toEqual(expected);
              const places = cells.map(
                (cell) => `${cell.at} ${cell.promptVersion ?? ''} ${cell.model ?? ''}`,
              );
              expect(places).toEqual(places.toSorted());
              expect(new Set(places).size).toBe(places.length);
            }
          }),
      ),
      { numRuns: stories },
    ));

  it('gives sums of a period, a version and a model', () =>
    withStore(async (store) => {
      await store.appendDecompositions([
        decomposition('a', { promptVersion: '1', model: 'x' }),
        decomposition('b', { promptVersion: '2', model: 'x', at: at(60) }),
        decomposition('c', { promptVersion: '2', model: 'y', at: at(61) }),
      ]);
      const counts = async (query: object) =>
        (await store.productionCells({ by: 'minute', ...query })).map(({ requests }) => requests);
      expect(await counts({})).toEqual([1, 1, 1]);
      expect(await counts({ promptVersion: '2' })).toEqual([1, 1]);
      expect(await counts({ promptVersion: '2', model: 'y' })).toEqual([1]);
      expect(await counts({ until: at(60) })).toEqual([1]);
      await expect(counts({ since: 'yesterday' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    }));

  it.each<[string, Partial<DecompositionRecord>]>([
    ['a negative cost', { costUsd: -1 }],
    ['an empty version', { promptVersion: '' }],
    ['19 bins', { confidence: { n: 0, sum: 0, bins: BINS.slice(1) } }],
    ['bins that do not add up', { confidence: { n: 3, sum: 1, bins: BINS } }],
    ['more verified than given', { quotes: { given: 1, verified: 2 } }],
    ['a probability of nothing', { sample: { probability: 0, stratum: 's' } }],
    ['a predicate by halves', { predicates: { IS_A: 0.5 } }],
    ['a state it does not know', { status: 'slow' as 'ok' }],
  ])('refuses a request with %s, and its whole batch', (_what, part) =>
    withStore(async (store) => {
      const refused = store.appendDecompositions([decomposition('a'), decomposition('b', part)]);
      await expect(refused).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringMatching(/^decompositions\[1\]/),
      });
      expect(await store.readDecompositions()).toEqual([]);
      expect(await store.productionCells({ by: 'day' })).toEqual([]);
    }),
  );

  promised('no other content', 'refuses other content under the id of a request, and counts it nowhere', () =>
    withStore(async (store) => {
      await store.appendDecompositions([decomposition('a')]);
      const refused = store.appendDecompositions([decomposition('b'), decomposition('a', { concepts: 3 })]);
      await expect(refused).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
      const [day] = await store.productionCells({ by: 'day' });
      expect(day?.requests).toBe(1);
    }),
  );
}

const someRecord: fc.Arbitrary<Partial<DecompositionRecord>> = fc.record(
  {
    at: fc.integer({ min: 0, max: 200_000 }).map((second) => at(second)),
    status: fc.constantFrom('ok', 'error'),
    latencyMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    costUsd: fc.double({ min: 0, max: 2, noNaN: true }),
    promptVersion: fc.constantFrom('1', '2'),
    model: fc.constantFrom('x', 'y'),
    concepts: fc.nat(60),
    textHash: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 }),
    predicates: fc.dictionary(fc.constantFrom('IS_A', 'CAUSES', '__proto__'), fc.nat(9)),
    confidence: fc.array(fc.nat(19), { maxLength: 9 }).map((bins) => ({
      n: bins.length,
      sum: bins.reduce((sum, bin) => sum + (bin + 0.3) / 20, 0),
      bins: BINS.map((_, i) => bins.filter((bin) => bin === i).length),
    })),
  },
  { requiredKeys: ['at', 'status'] },
);
