/** What a later version of an agent may write: more fields, kinds of records and blocks that nobody knows, another order of fields. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../event.ts';
import { finish, startFold, step } from '../../fold/fold.ts';
import type { FoldState } from '../../fold/state.ts';
import type { LoadedFormat } from './format.ts';
import { loadFormats } from './load-formats.ts';
import { type Read, readLines } from './testing/read-events.ts';
import { ROWS } from './testing/rows.ts';
import { SAMPLES } from './testing/samples.ts';

const formats = await loadFormats();
const NEW = 'a_thing_of_tomorrow';
const stranger = (id: string) => ({
  type: NEW,
  event: NEW,
  role: NEW,
  kind: NEW,
  subtype: NEW,
  id,
  uuid: id,
});

type Kind = {
  readonly name: string;
  readonly of: string;
  readonly path: string;
  readonly records: readonly unknown[];
};

const CHAT = 'test/fixtures/session/aider/calc/.aider.chat.history.md';
const KINDS: readonly Kind[] = [
  ...SAMPLES.map(({ name, sample: { path, document, records } }) => {
    const format = formats.find((one) => one.name === name) as LoadedFormat;
    const elements = document ? [...(format.elements?.(records[0], { path }) ?? [])] : records;
    return { name, of: path, path, records: elements };
  }),
  ...ROWS.map(([name, , records]) => ({ name, of: 'rows of its database', path: 'x.db', records })),
  {
    name: 'aider',
    of: CHAT,
    path: CHAT,
    records: readFileSync(CHAT, 'utf8')
      .split('\n')
      .map((text) => ({ text })),
  },
];

/** What is known of the sessions in the end, wherever in the file it stands. */
function summaryOf({ events }: Read): Map<string, unknown> {
  const folds = new Map<string, FoldState>();
  for (const { session = '', ...event } of events) {
    const fold = folds.get(session) ?? startFold('test');
    folds.set(session, fold);
    step(fold, event as Event);
  }
  const all = new Map<string, unknown>();
  for (const [session, fold] of folds) {
    const facts = finish(fold, session);
    if (facts !== undefined) all.set(session, withoutLines(facts));
  }
  return all;
}

function withoutLines(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLines).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      /line/i.test(key) || TEXT_SIZES.has(key) ? [] : [[key, withoutLines(one)]],
    ),
  );
}
/** Of results that are shown as they came, more fields and all. */
const TEXT_SIZES = new Set(['callChars']);
const nameOf = (value: unknown) => JSON.stringify(value);

function eachObject(value: unknown, change: (fields: object) => object): unknown {
  if (Array.isArray(value)) return value.map((one) => eachObject(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, one]) => [key, eachObject(one, change)])),
  );
}

describe.each(KINDS)('$name of a version to come ($of)', ({ name, path, records }) => {
  const format = formats.find((one) => one.name === name) as LoadedFormat;
  const read = (some: readonly unknown[]) => readLines(format, some, path);
  const known = read(records);

  it('has something to say', () => {
    expect(known.events.length).toBeGreaterThan(1);
  });

  it('says the same with more fields in every record', () => {
    const more = records.map((one) =>
      typeof one === 'object' && one !== null && !Array.isArray(one)
        ? { ...one, fieldOfTomorrow: { list: [1, { text: 'x' }] }, another_field_of_tomorrow: 'x' }
        : one,
    );
    expect(summaryOf(read(more))).toEqual(summaryOf(known));
  });

  it('says the same with more fields at every depth', () => {
    const more = records.map((one) => eachObject(one, (fields) => ({ ...fields, fieldOfTomorrow: null })));
    expect(summaryOf(read(more))).toEqual(summaryOf(known));
  });

  it('says the same with its fields in another order', () => {
    const turned = records.map((one) =>
      eachObject(one, (fields) => Object.fromEntries(Object.entries(fields).reverse())),
    );
    expect(summaryOf(read(turned))).toEqual(summaryOf(known));
  });

  it('says the same with records of another kind among its own, and counts each of them', () => {
    const strange = read([...records.slice(0, 1), stranger('n1'), ...records.slice(1), stranger('n2')]);
    expect(summaryOf(strange)).toEqual(summaryOf(known));
    expect(strange.unknown.length - known.unknown.length).toBe(2);
  });

  it('says the same with blocks of another kind among its own', () => {
    const more = records.map((one) => withBlocks(one));
    expect(summaryOf(read(more))).toEqual(summaryOf(known));
  });
});

/** In every list of things that have a type. */
function withBlocks(value: unknown): unknown {
  if (Array.isArray(value)) {
    const inner = value.map(withBlocks);
    // Among calls of functions it would be a call.
    const isTyped =
      value.length > 0 && value.every((one) => typeof one?.type === 'string' && one.type !== 'function');
    return isTyped ? [...inner, { type: NEW, id: 'new-2' }] : inner;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withBlocks(one)]));
}
