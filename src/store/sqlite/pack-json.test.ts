import fc from 'fast-check';
import { expect, it } from 'vitest';
import { factsWith, runWith } from '../../session/run-with.ts';
import type { Json } from '../store.ts';
import { packJson } from './pack-json.ts';
import { KNOWN, TEMPLATES } from './packed-words.ts';
import { unpackJson } from './unpack-json.ts';

const word = fc.constantFrom(...KNOWN, ...TEMPLATES.flatMap(({ keys }) => keys), '__proto__', 'constructor');
const name = fc.constantFrom('0b5ad6c2-7f0e-4a3c-9d2b-8e1f6a7c5b4d', '/home/dev/garden', 'claude-opus', 'ä');
const hash = fc.uint8Array({ minLength: 9, maxLength: 24 });
const text = fc.oneof(
  word,
  name,
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.tuple(fc.string(), name, fc.string()).map((parts) => parts.join('')),
  hash.map((bytes) => Buffer.from(bytes).toString('base64')),
  hash.map((bytes) => Buffer.from(bytes).toString('hex')),
  fc.uuid(),
);
const number = fc.oneof(
  fc.nat({ max: 3000 }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.integer({ min: 9e11, max: 5e12 }),
  fc.integer({ min: 0, max: 1e8 }).map((cents) => cents / 100),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    number,
    text,
    fc.constantFrom(null, true, false),
    fc.array(fc.nat()).map((list) => list.sort((a, b) => a - b)),
    fc.array(fc.integer({ min: 2 ** 21, max: 2 ** 32 - 1 })),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(word, fc.string()), tie('value'), { maxKeys: 8, noNullPrototype: true }),
  ),
})).value;

const context = fc.record({
  names: fc.array(fc.option(name, { nil: undefined }), { maxLength: 4 }),
  moment: fc.option(fc.integer({ min: 9e11, max: 5e12 }), { nil: undefined }),
});

it('gives back what was packed, whatever it is', () =>
  fc.assert(
    fc.property(json, context, (value, given) => {
      const back = unpackJson(packJson(value, given), given);
      expect(back).toEqual(value);
      // Neither keys nor values may be lost where they look like something else.
      expect(JSON.stringify(sorted(back as Json))).toBe(JSON.stringify(sorted(value)));
    }),
    { numRuns: 500 },
  ));

function sorted(value: Json): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, own]) => [key, sorted(own)]);
}

it('answers bytes that it did not write with a value or with nothing', () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      unpackJson(bytes);
    }),
    { numRuns: 2000 },
  ));

it('says nothing of what was cut off or has something after it', () => {
  const packed = packJson({ facts: { runs: [1, 2, 300] } });
  for (let length = 0; length < packed.length; length += 1)
    expect(unpackJson(packed.subarray(0, length))).toBeUndefined();
  expect(unpackJson(Buffer.concat([packed, Buffer.of(0)]))).toBeUndefined();
});

it('takes a quarter of the room of the text for what sessions look like', () => {
  const sessionId = '0b5ad6c2-7f0e-4a3c-9d2b-8e1f6a7c5b4d';
  const facts = {
    facts: { ...factsWith([runWith()]), sessionId },
    file: {
      path: `/home/dev/.claude/projects/-home-dev-garden/${sessionId}.jsonl`,
      lines: 90,
      skipped: {},
      unknownRecords: {},
    },
  } as unknown as Json;
  expect(packJson(facts, { names: [sessionId] }).length * 4).toBeLessThan(JSON.stringify(facts).length);
});

it('keeps what stands in its lists where it is', () => {
  // Part of the format of every store: add to the ends only.
  expect(TEMPLATES.slice(0, 4).map(({ mark }) => mark[0])).toEqual([
    'facts',
    'unknownRecords',
    'version',
    'trigger',
  ]);
  expect([
    KNOWN[0],
    KNOWN[63],
    KNOWN[64],
    TEMPLATES.length <= 32,
    KNOWN.length <= 64 + 256,
  ]).toMatchInlineSnapshot(`
    [
      "text",
      "tests failed",
      "linter passed",
      true,
      true,
    ]
  `);
});

it('reads every kind of object as it was packed when stores were first kept so', () => {
  const packed =
    '8BXABwECAekFbGF0ZXIDwTACAfQAA8IBYAECAfQAA8MBAAAAAAwBAgH0AAPE0AECAfQAA8UZAQIB9AADxoEBAQIB9AADxxkBAgH0AAPIMgECAfQAA8kBDAECAfQAA8oZAQIB9AADywcBAgH0AAPMDQECAfQAA83BAQIB9AADzg0BAgH0AAPPGQECAfQAA9ANAQIB9AAD0Q0BAgH0AAPSBwECAfQAA9MyAQIB9AAD1AcBAgH0AAM=';
  // The first and the last key of each, and one that no list has. A key added to a template moves all that follow.
  const keys = `facts file, - unknownRecords, version abandoned, trigger file, messagesWithoutUsage unpriced,
    input cacheWrite, calls failedAttempts, recovered lines, systems narrow, shell cron, artifact lines, entries usage,
    oneIn commits, ends left, sha at, codeChanges check, passed line, value line, times line, denied again,
    count firstLine`;
  const objects = keys.split(',').map((pair) => {
    const [first, last] = pair.trim().split(' ') as [string, string];
    return { ...(first !== '-' && { [first]: 1 }), [last]: 2, later: 3 };
  });
  expect(unpackJson(Buffer.from(packed, 'base64'))).toEqual(objects);
});
