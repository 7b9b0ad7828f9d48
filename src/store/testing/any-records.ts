/** Random records of every kind, made after their schemas, with few names and times so that questions find some. */
import fc from 'fast-check';
import type { z } from 'zod';
import { SCHEMAS } from '../schema/records.ts';
import { SESSION_FIELDS, type SessionRow } from '../schema/session.ts';
import type { PrunedKind, Store } from '../store.ts';
import { STORED_KINDS, type StoredKind } from '../upkeep.ts';
import { compareBytes } from './model.ts';

/** Seconds, minutes, hours and days apart, some of them the same. */
export const TIMES = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2026-01-01T00:00:59.999Z',
  '2026-01-01T00:01:00.000Z',
  '2026-01-01T00:59:59.999Z',
  '2026-01-01T01:00:00.000Z',
  '2026-01-01T23:59:30.000Z',
  '2026-01-02T00:00:00.000Z',
  '2026-01-02T12:30:30.500Z',
  '2026-02-01T00:00:00.000Z',
];
export const time: fc.Arbitrary<string> = fc.constantFrom(...TIMES);
export const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

/** Plain names and those that databases get wrong. */
export const NAMES = ['a', 'b', 'ä', 'ß', "it's", '{x:String}', 'a\nb', '\\n', '%', 'A', ' a'];
export const name: fc.Arbitrary<string> = fc.constantFrom(...NAMES);

/** Without what has no value, which is the same as being absent. */
export function present<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter((entry) => entry[1] !== undefined)) as T;
}

type Values = Readonly<Record<'text' | 'key' | 'time' | 'number', fc.Arbitrary<string | number>>>;

const PLAIN: Values = {
  text: name,
  key: fc.oneof(name, fc.nat({ max: 30 }).map(String), fc.constantFrom('__proto__', 'recall', 'a.b')),
  time,
  // Sums are exact to the billionth, so those of realistic costs are exact in any order.
  number: fc.oneof(fc.double({ min: 0, max: 50, noNaN: true }), fc.constantFrom(0, 0.1, 0.2, 7)),
};
const anyText = fc.string({ unit: 'binary', maxLength: 8 });
const ODD: Values = {
  text: anyText,
  key: anyText,
  time: fc.constantFrom(...TIMES.slice(0, 4)),
  // -0 comes back as 0; an example tests that.
  number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
};
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

const BINS = new Array<number>(20).fill(0);
/** What the rules of a schema say beyond its types. */
const RULED: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  textHash: fc.string({ unit: fc.constantFrom('0', 'a', 'f'), minLength: 64, maxLength: 64 }),
  score: fc.constantFrom(1, 2.5, 5),
  probability: fc.constantFrom(0.05, 1),
  quotes: fc.constantFrom({ given: 3, verified: 2 }, { given: 0, verified: 0 }),
  unmentioned: fc.constant({ concepts: 3, unmentioned: 1 }),
  project: fc.constantFrom('a', '/x/a', 'b/a', 'ba', 'b'),
  confidence: fc.array(fc.nat(19), { maxLength: 9 }).map((bins) => ({
    n: bins.length,
    sum: bins.reduce((sum, bin) => sum + (bin + 0.3) / 20, 0),
    bins: BINS.map((_, i) => bins.filter((bin) => bin === i).length),
  })),
};

function arbitraryOf(schema: z.core.$ZodType, values: Values, key = ''): fc.Arbitrary<unknown> {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  if (def.type === 'optional') return maybe(arbitraryOf(def.innerType, values, key));
  const ruled = RULED[key];
  if (ruled !== undefined) return ruled;
  switch (def.type) {
    case 'string':
      if ('format' in def && def.format === 'datetime') return values.time;
      return key.endsWith('Id') ? values.key : values.text;
    case 'number':
      return 'check' in def ? fc.nat(60) : values.number;
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'readonly':
      return arbitraryOf(def.innerType, values);
    case 'array':
      return fc.array(arbitraryOf(def.element, values), { maxLength: 2 });
    case 'record':
      return fc.dictionary(values.key as fc.Arbitrary<string>, arbitraryOf(def.valueType, values), {
        maxKeys: 3,
        noNullPrototype: true,
      });
    case 'union':
      return fc.oneof(...def.options.map((option) => arbitraryOf(option, values)));
    case 'object':
      return fc
        .record(
          Object.fromEntries(
            Object.entries(def.shape).map(([name, field]) => [name, arbitraryOf(field, values, name)]),
          ),
        )
        .map(present);
    default:
      return json;
  }
}

export type AnyRecords = { readonly [Kind in StoredKind]?: readonly object[] };

function recordsOf(kind: keyof typeof SCHEMAS, values: Values): fc.Arbitrary<object[]> {
  const schema = SCHEMAS[kind];
  const [key = ''] = Object.keys(schema.shape);
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    name === key ? values.key : arbitraryOf(field, values, name),
  ]);
  const record = fc
    .record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>)
    .map((one) => present(one.until === undefined ? one : { ...one, state: 'silenced' }))
    .filter((one) => schema.safeParse(one).success);
  return fc.uniqueArray(record, { selector: (one) => one[key as never], maxLength: 14 });
}

/** A revision is a hash of the content, so equal keys have equal content; the times of scoring may differ. */
function sessionsOf(values: Values): fc.Arbitrary<SessionRow[]> {
  const content = Object.fromEntries(
    SESSION_FIELDS.filter(({ name }) => !['sessionKey', 'revision', 'scoredAt'].includes(name)).map(
      ({ name, kind, optional }) => [name, optional ? maybe(values[kind]) : values[kind]],
    ),
  );
  const times = fc.array(values.time, { minLength: 1, maxLength: 3 });
  const one = fc.tuple(
    fc.constantFrom('', 'a', '\u{1f600}'),
    anyText,
    fc.record({ ...content, facts: json }),
    times,
  );
  return fc
    .uniqueArray(one, { selector: ([id, revision]) => JSON.stringify([id, revision]), maxLength: 8 })
    .map((list) =>
      list.flatMap(([sessionKey, revision, given, scored]) =>
        scored.map((scoredAt) => present({ sessionKey, revision, scoredAt, ...given }) as SessionRow),
      ),
    );
}

function batchOf(values: Values): fc.Arbitrary<AnyRecords> {
  const kinds = Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[];
  return fc.record(Object.fromEntries(kinds.map((kind) => [kind, recordsOf(kind, values)])));
}

/** Of every kind but sessions, which `session-story.ts` makes. */
export const anyRecords: fc.Arbitrary<AnyRecords> = batchOf(PLAIN);
/** Of every kind, with any text and number. */
export const oddRecords: fc.Arbitrary<AnyRecords> = fc
  .tuple(batchOf(ODD), sessionsOf(ODD))
  .map(([batch, sessions]) => ({ ...batch, sessions }));

/** As some sender would: the batches of a kind in parts, some of them twice. */
export async function appendAll(store: Store, batch: AnyRecords, size: number): Promise<readonly unknown[]> {
  const counts: unknown[] = [];
  for (const [kind, records] of Object.entries(batch))
    for (let i = 0; i < records.length; i += size)
      counts.push(
        await store.upkeep().append(kind as StoredKind, records.slice(Math.max(0, i - 1), i + size)),
      );
  return counts;
}

/** Everything that a store has, by kind and in the order of keys. */
export async function readAll(store: Store): Promise<AnyRecords> {
  const all: [StoredKind, readonly object[]][] = [];
  for (const kind of STORED_KINDS) {
    const keys = (await store.upkeep().items(kind, undefined, 10_000)).map(({ key }) => key);
    all.push([kind, inOrder(kind, await store.upkeep().records(kind, keys))]);
  }
  return Object.fromEntries(all);
}

/** What is read when all of a batch was appended, in whatever order. */
export function expectedOf(batch: AnyRecords): AnyRecords {
  return Object.fromEntries(
    STORED_KINDS.map((kind) => {
      const records = (batch[kind] ?? []) as readonly SessionRow[];
      if (kind !== 'sessions') return [kind, inOrder(kind, records)];
      const latest = (rows: readonly SessionRow[]) =>
        rows.toSorted((x, y) => compareBytes(x.scoredAt, y.scoredAt) || compareBytes(x.revision, y.revision));
      const groups = Map.groupBy(records, ({ sessionKey }) => sessionKey);
      return [
        kind,
        inOrder(
          kind,
          [...groups.values()].flatMap((rows) => latest(rows).slice(-1)),
        ),
      ];
    }),
  );
}

function inOrder(kind: StoredKind, records: readonly object[]): readonly object[] {
  const [key = ''] = kind === 'sessions' ? ['sessionKey'] : Object.keys(SCHEMAS[kind].shape);
  const keyOf = (record: object) => String((record as Readonly<Record<string, unknown>>)[key]);
  return records.toSorted((x, y) => compareBytes(keyOf(x), keyOf(y)));
}

const PRUNED = [
  'runs',
  'ratings',
  'approvals',
  'alerts',
  'feedback',
  'audit',
  'deliveries',
  'decompositions',
  'decomposition-texts',
] as const satisfies readonly PrunedKind[];

export type Pruning = { readonly kind: PrunedKind; readonly before: string };

export const pruning: fc.Arbitrary<Pruning> = fc.record({ kind: fc.constantFrom(...PRUNED), before: time });
