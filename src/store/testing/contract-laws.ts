import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Promised, WithStore } from '../contract.ts';
import { type AnyRecords, appendAll, expectedOf, oddRecords, readAll } from './any-records.ts';
import { rating, run, session } from './records.ts';

export function describeLaws(withStore: WithStore, promised: Promised, stories: number): void {
  const returnsExactly = (text: string) => returnsKey(withStore, text);

  it.each<[string, string]>([
    ['empty', ''],
    ['NUL', 'a\0b\0'],
    ['SQL', `'; DROP TABLE run; --`],
    ['the name of a prototype', '__proto__'],
    ['emoji, combining marks and right-to-left', '👩‍👩‍👧 e\u0301 \u202eabc'],
    ['the largest code point', '\u{10ffff}\uffff'],
  ])('returns a text that is %s exactly', (_what, text) => returnsExactly(text));

  promised('keys of any length', 'returns a text that is a megabyte exactly', () => returnsExactly(LONG));

  it('returns a megabyte of everything but keys exactly', () =>
    withStore(async (store) => {
      const metrics = { m: { measured: false as const, reason: LONG } };
      const record = run('a', { metrics, cases: [{ caseId: LONG, metrics, error: LONG }] });
      const row = session('a', '1', { facts: { [LONG]: LONG } });
      await store.appendRuns([record]);
      await store.appendSessions([row]);
      await store.appendRatings([rating('a', { note: LONG })]);
      expect(await store.readRun('a')).toEqual(record);
      expect(await store.readSession('a')).toEqual(row);
      expect(await store.readRatings()).toEqual([rating('a', { note: LONG })]);
    }));

  it('makes lone surrogates well-formed and -0 zero, and knows them again', () =>
    withStore(async (store) => {
      const sent = session('\ud800', '1', { model: 'x\udc00', q: -0, facts: { 'k\ud800': ['\udfff', -0] } });
      await store.appendSessions([sent]);
      expect(await store.appendSessions([sent])).toEqual({ added: 0, known: 1 });
      const stored = session('\ufffd', '1', { model: 'x\ufffd', q: 0, facts: { 'k\ufffd': ['\ufffd', 0] } });
      expect(await store.readSession('\ud800')).toEqual(stored);
      await store.appendRatings([rating('\ud800', { rating: -0 })]);
      expect(await store.appendRatings([rating('\ud800', { rating: -0 })])).toEqual({ added: 0, known: 1 });
      expect(await store.readRatings()).toEqual([rating('\ufffd', { rating: 0 })]);
    }));

  it.each([1e308, 5e-324, -1.7976931348623157e308, 2 ** 53 + 2, 2 ** 63, 0.1 + 0.2])(
    'returns the number %s exactly',
    (value) =>
      withStore(async (store) => {
        const record = run('a', {
          metrics: { m: { measured: true, value, low: value, high: value, n: value } },
        });
        const row = session('a', '1', { inputTokens: value, q: value, facts: { value } });
        await store.appendRuns([record]);
        await store.appendSessions([row]);
        expect(await store.readRun('a')).toEqual(record);
        expect(await store.readSession('a')).toEqual(row);
      }),
  );

  it('returns exactly what was sent, and sent twice is sent once', () =>
    fc.assert(
      fc.asyncProperty(oddRecords, (batch) =>
        withStore(async (store) => {
          await appendAll(store, batch, 100);
          const first = await readAll(store);
          for (const counts of await appendAll(store, batch, 100)) expect(counts).toMatchObject({ added: 0 });
          expect(await readAll(store)).toEqual(first);
          expect(first).toEqual(expectedOf(batch));
        }),
      ),
      { numRuns: Math.ceil(stories / 2) },
    ));

  it('reads the same in whatever order and batches records arrive', () =>
    fc.assert(
      fc.asyncProperty(oddRecords, fc.func(fc.nat()), fc.integer({ min: 1, max: 5 }), (batch, order, size) =>
        withStore(async (store) => {
          const place = (record: object) => order(JSON.stringify(record));
          const shuffled: AnyRecords = Object.fromEntries(
            Object.entries(batch).map(([kind, list]) => [kind, list.toSorted((x, y) => place(x) - place(y))]),
          );
          await appendAll(store, shuffled, size);
          expect(await readAll(store)).toEqual(expectedOf(batch));
        }),
      ),
      { numRuns: Math.ceil(stories / 2) },
    ));
}

const LONG = 'ä'.repeat(500_000);

async function returnsKey(withStore: WithStore, text: string): Promise<void> {
  await withStore(async (store) => {
    const metrics = Object.fromEntries([[text, { measured: false as const, reason: text }]]);
    const record = run(text, { subject: text, metrics, cases: [{ caseId: text, metrics, error: text }] });
    const facts = Object.fromEntries([[text, text]]);
    await store.appendRuns([record]);
    await store.appendSessions([{ ...session(text, text), facts }]);
    await store.appendRatings([rating(text, { note: text })]);
    expect(await store.readRun(text)).toEqual(record);
    expect((await store.listRuns({ subject: text })).map(({ runId }) => runId)).toEqual([text]);
    expect(await store.readSession(text)).toEqual({ ...session(text, text), facts });
    expect(await store.readRatings()).toEqual([rating(text, { note: text })]);
    expect(Object.keys((await store.readSession(text))?.facts as object)).toEqual([text]);
  });
}
