/** What a later version of an agent may write: more fields everywhere, and records of kinds that nobody knows. */
import { describe, expect, it } from 'vitest';
import type { LoadedFormat } from './format.ts';
import { loadFormats } from './load-formats.ts';
import { kindsOf, readLines } from './testing/read-events.ts';
import { SAMPLES } from './testing/samples.ts';

const formats = await loadFormats();
const NEW = 'a_thing_of_tomorrow';
const STRANGER = { type: NEW, event: NEW, role: NEW, kind: NEW, subtype: NEW, id: 'new-1', uuid: 'new-1' };

describe.each(SAMPLES)('$name of a version to come ($sample.path)', ({ name, sample }) => {
  const format = formats.find((one) => one.name === name) as LoadedFormat;
  const { path } = sample;
  const elements = sample.document
    ? [...(format.elements?.(sample.records[0], { path }) ?? [])]
    : sample.records;
  const read = (records: readonly unknown[]) => readLines(format, records, path);

  it('says the same with more fields in every record', () => {
    const more = elements.map((one) =>
      typeof one === 'object' && one !== null && !Array.isArray(one)
        ? { ...one, fieldOfTomorrow: { list: [1, { text: 'x' }] }, another_field_of_tomorrow: 'x' }
        : one,
    );
    expect(kindsOf(read(more))).toEqual(kindsOf(read(elements)));
  });

  it('says the same with a record of another kind at its end, and names that one or passes over it', () => {
    const known = read(elements);
    const strange = read([...elements, STRANGER]);
    expect(kindsOf(strange)).toEqual(kindsOf(known));
    expect(strange.unknown.slice(0, known.unknown.length)).toEqual(known.unknown);
    expect(strange.unknown.length - known.unknown.length).toBeLessThanOrEqual(1);
  });
});
