import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExtractionTask, Extractor } from '../extractor.ts';
import { type ExtractionResult, extractAll } from './run-tasks.ts';

const task = (n: number): ExtractionTask => ({ id: String(n), text: `text ${n}`, trial: 1 });
const tasks = (count: number) => Array.from({ length: count }, (_, n) => task(n));

/** Takes as many turns of the event loop as `turns` says for the text; fails where it says so. */
function extractorOf(turns: (id: number) => number, fails: (id: number) => boolean = () => false) {
  const seen = { running: 0, most: 0, started: 0 };
  const extractor: Extractor = {
    name: 'test',
    extract: async ({ id }, signal) => {
      seen.started += 1;
      seen.running += 1;
      seen.most = Math.max(seen.most, seen.running);
      try {
        for (let turn = 0; turn < turns(Number(id)); turn += 1) await setImmediate();
        signal.throwIfAborted();
        if (fails(Number(id))) throw new Error(`no ${id}`);
        return { concepts: [{ label: id }], relationships: [] };
      } finally {
        seen.running -= 1;
      }
    },
  };
  return { extractor, seen };
}

async function collect(results: AsyncIterable<ExtractionResult>): Promise<string[]> {
  const said: string[] = [];
  for await (const result of results) {
    said.push('output' in result ? (result.output.concepts[0]?.label ?? '') : String(result.error));
  }
  return said;
}

describe('a series of texts', () => {
  it('comes out in the order it went in, whichever ends first, and never more run than allowed', async () => {
    const length = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(length, fc.integer({ min: 1, max: 5 }), async (turns, concurrency) => {
        const { extractor, seen } = extractorOf(
          (id) => turns[id] ?? 0,
          (id) => turns[id] === 3,
        );
        const said = await collect(extractAll(extractor, tasks(turns.length), { concurrency }));
        expect(said).toEqual(turns.map((turn, id) => (turn === 3 ? `Error: no ${id}` : String(id))));
        expect(seen.most).toBeLessThanOrEqual(concurrency);
      }),
      { numRuns: 50 },
    );
  });

  it('is not read further ahead than there is room for', async () => {
    let taken = 0;
    async function* endless() {
      for (;;) yield task(taken++);
    }
    const { extractor } = extractorOf(() => 0);
    let read = 0;
    for await (const _ of extractAll(extractor, endless(), { concurrency: 2 })) {
      read += 1;
      expect(taken - read).toBeLessThanOrEqual(2 * 8 + 2 * 2);
      if (read === 500) break;
    }
  });

  it('gives each result as soon as it is its turn, even while the source keeps us waiting', async () => {
    let answered: () => void = () => {};
    async function* conversation() {
      yield task(0);
      // Whoever asks writes the next line only after the answer to the first.
      await new Promise<void>((resolve) => {
        answered = resolve;
      });
      yield task(1);
    }
    const results = extractAll(extractorOf(() => 1).extractor, conversation());
    expect((await results.next()).value).toMatchObject({ task: { id: '0' } });
    answered();
    expect((await results.next()).value).toMatchObject({ task: { id: '1' } });
    expect((await results.next()).done).toBe(true);
  });

  it('stops what is under way when it is aborted or no longer read', async () => {
    const { extractor, seen } = extractorOf(() => 3);
    const controller = new AbortController();
    const aborted = collect(
      extractAll(extractor, tasks(100), {
        signal: controller.signal,
        onProgress: ({ done }) => done === 5 && controller.abort(new Error('enough')),
      }),
    );
    await expect(aborted).rejects.toThrow('enough');
    expect(seen).toMatchObject({ running: 0 });
    expect(seen.started).toBeLessThan(20);
    for await (const _ of extractAll(extractor, tasks(100))) break;
    expect(seen).toMatchObject({ running: 0 });
  });

  it('fails when its source does', async () => {
    async function* broken() {
      yield task(0);
      throw new Error('torn');
    }
    await expect(collect(extractAll(extractorOf(() => 0).extractor, broken()))).rejects.toThrow('torn');
  });

  it('says how far it is', async () => {
    const progress: unknown[] = [];
    const { extractor } = extractorOf(
      () => 0,
      (id) => id === 1,
    );
    await collect(
      extractAll(extractor, tasks(3), { concurrency: 1, onProgress: (one) => progress.push(one) }),
    );
    expect(progress).toEqual([
      { done: 1, failed: 0 },
      { done: 2, failed: 1 },
      { done: 3, failed: 1 },
    ]);
  });
});
