import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encode } from '../ingest/formats/otlp/testing/encode.ts';
import { decodeTelemetry, telemetryRecords } from './telemetry.ts';

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
const attributes = [
  text('gen_ai.conversation.id', 'one'),
  text('gen_ai.operation.name', 'chat'),
  { key: 'gen_ai.usage.input_tokens', value: { intValue: '100' } },
  { key: 'nested', value: { kvlistValue: { values: [text('a', 'b')] } } },
  { key: 'many', value: { arrayValue: { values: [{ doubleValue: 0.5 }, { boolValue: true }] } } },
];
const span = {
  traceId: '0123456789abcdef0123456789abcdef',
  spanId: '0123456789abcdef',
  name: 'chat',
  startTimeUnixNano: '1767225600000000000',
  endTimeUnixNano: '1767225601000000000',
  attributes,
  events: [{ name: 'said', timeUnixNano: '1767225600500000000', attributes }],
  status: { code: 2, message: 'no' },
};
const WHOLE = Buffer.from(
  encode({ resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans: [span, span] }] }] }),
);

/** What becomes of bytes on their way: some are other ones, gone, doubled, put in or cut off. */
const damage = fc.array(
  fc.record({
    // A change of the length is nearly always noticed at once: most keep it.
    kind: fc.constantFrom('change', 'change', 'change', 'change', 'take out', 'double', 'put in', 'cut'),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 40 }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
);

function damaged(whole: Buffer, damages: typeof damage extends fc.Arbitrary<infer T> ? T : never): Buffer {
  return damages.reduce((body, { kind, at, length, bytes }) => {
    const place = body.length === 0 ? 0 : at % body.length;
    const [before, after] = [body.subarray(0, place), body.subarray(place)];
    if (kind === 'change') return Buffer.concat([before, bytes, after.subarray(bytes.length)]);
    if (kind === 'take out') return Buffer.concat([before, after.subarray(length)]);
    if (kind === 'double') return Buffer.concat([before, after.subarray(0, length), after]);
    if (kind === 'put in') return Buffer.concat([before, bytes, after]);
    return Buffer.from(before);
  }, whole);
}

it('reads a message that was damaged in any way, or says that it is none', () => {
  expect(telemetryRecords(decodeTelemetry(WHOLE, 'traces', 'protobuf'), 'traces').records).toHaveLength(2);
  let read = 0;
  fc.assert(
    fc.property(damage, fc.constantFrom('traces' as const, 'logs' as const), (damages, kind) => {
      const document = decodeTelemetry(damaged(WHOLE, damages), kind, 'protobuf');
      if (document === undefined) return;
      read += 1;
      const { records, rejected, skipped } = telemetryRecords(document, kind);
      expect(rejected).toBeGreaterThanOrEqual(0);
      expect(skipped).toBeGreaterThanOrEqual(0);
      for (const { line } of records) expect(line).not.toContain('\n');
    }),
    { numRuns: 3000 },
  );
  // Neither are all of them refused, which would try nothing.
  expect(read).toBeGreaterThan(100);
});
