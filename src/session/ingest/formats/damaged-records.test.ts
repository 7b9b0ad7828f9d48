import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LoadedFormat } from './format.ts';
import { loadFormats } from './load-formats.ts';
import { changes, mutated } from './testing/mutate.ts';
import { expectWellFormed, readLines } from './testing/read-events.ts';
import { SAMPLES } from './testing/samples.ts';

const NOWHERE = { path: 'x' };
const formats = await loadFormats();

describe.each(SAMPLES)('$name, damaged ($sample.path)', { timeout: 120_000 }, ({ name, sample }) => {
  const format = formats.find((one) => one.name === name) as LoadedFormat;
  const elements = sample.document
    ? [...(format.elements?.(sample.records[0], NOWHERE) ?? [])]
    : sample.records;

  it('never throws and never makes a malformed event, record by record', () => {
    let count = 0;
    fc.assert(
      fc.property(fc.nat(elements.length - 1), changes, (index, todo) => {
        count += 1;
        const damaged = [
          ...elements.slice(0, index),
          mutated(elements[index], todo),
          ...elements.slice(index + 1),
        ];
        expectWellFormed(readLines(format, damaged, sample.path));
      }),
      { numRuns: 500 },
    );
    expect(count).toBeGreaterThanOrEqual(500);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('never throws on a damaged document, nor when it is detected', () => {
    fc.assert(
      fc.property(changes, (todo) => {
        const records = sample.records.map((record) => mutated(record, todo));
        for (const one of formats) one.detect({ ...sample, records });
        const parts = sample.document ? [...(format.elements?.(records[0], NOWHERE) ?? [])] : records;
        expectWellFormed(readLines(format, parts, sample.path));
      }),
      { numRuns: 300 },
    );
  });

  it('never throws on what is nested a hundred thousand deep', () => {
    const depth = 100_000;
    const deep: unknown[] = [
      JSON.parse('['.repeat(depth) + ']'.repeat(depth)),
      JSON.parse('{"child_spans":['.repeat(depth) + ']}'.repeat(depth)),
    ];
    const places = [
      'resourceSpans',
      'spans',
      'attributes',
      'history',
      'messages',
      'traj',
      'args',
      'content',
      'text',
    ];
    for (const value of deep) {
      const records = [value, ...places.map((place) => ({ ...(elements[0] as object), [place]: value }))];
      for (const record of records) {
        for (const one of formats) one.detect({ ...sample, records: [record] });
        const parts = [...(format.elements?.(record, NOWHERE) ?? [])];
        const state = format.start({ path: 'x' });
        for (const part of [record, ...parts]) format.step(state, part, 1, () => {});
      }
    }
  });

  it('never throws on arbitrary JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expectWellFormed(readLines(format, [value, ...(format.elements?.(value, NOWHERE) ?? [])], 'x'));
      }),
      { numRuns: 300 },
    );
  });
});
