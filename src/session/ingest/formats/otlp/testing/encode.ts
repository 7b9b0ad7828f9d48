/** Documents in OTLP's JSON encoding → its binary encoding, as far as the tests need it. */

type Json = Readonly<Record<string, unknown>>;
const FIELDS: Readonly<Record<string, readonly [field: number, kind: string]>> = {
  resourceSpans: [1, 'group'],
  resourceLogs: [1, 'group'],
  'group.resource': [1, 'resource'],
  'resource.attributes': [1, 'pair'],
  'group.scopeSpans': [2, 'spans'],
  'group.scopeLogs': [2, 'logs'],
  'spans.spans': [2, 'span'],
  'logs.logRecords': [2, 'log'],
  'span.traceId': [1, 'id'],
  'span.spanId': [2, 'id'],
  'span.parentSpanId': [4, 'id'],
  'span.name': [5, 'text'],
  'span.startTimeUnixNano': [7, 'time'],
  'span.endTimeUnixNano': [8, 'time'],
  'span.attributes': [9, 'pair'],
  'span.events': [11, 'event'],
  'span.status': [15, 'status'],
  'status.message': [2, 'text'],
  'status.code': [3, 'whole'],
  'event.name': [2, 'text'],
  'event.attributes': [3, 'pair'],
  'log.timeUnixNano': [1, 'time'],
  'log.body': [5, 'value'],
  'log.attributes': [6, 'pair'],
  'log.traceId': [9, 'id'],
  'log.spanId': [10, 'id'],
  'log.eventName': [12, 'text'],
  'pair.key': [1, 'text'],
  'pair.value': [2, 'value'],
  'value.stringValue': [1, 'text'],
  'value.intValue': [3, 'whole'],
  'value.arrayValue': [5, 'list'],
  'value.kvlistValue': [6, 'pairs'],
  'list.values': [1, 'value'],
  'pairs.values': [1, 'pair'],
};

export function encode(document: unknown, of = ''): Buffer {
  const parts: Buffer[] = [];
  // In the order of their numbers, as encoders write them.
  const known = Object.entries(document as Json)
    .flatMap(([key, value]) => {
      const field = FIELDS[of === '' ? key : `${of}.${key}`];
      return field === undefined ? [] : [[field, value] as const];
    })
    .sort(([[a]], [[b]]) => a - b);
  for (const [[field, kind], value] of known)
    for (const one of Array.isArray(value) ? value : [value]) parts.push(encodeField(field, kind, one));
  return Buffer.concat(parts);
}

function encodeField(field: number, kind: string, value: unknown): Buffer {
  if (kind === 'time') {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value as string));
    return Buffer.concat([varint(BigInt(field * 8 + 1)), bytes]);
  }
  if (kind === 'whole')
    return Buffer.concat([varint(BigInt(field * 8)), varint(BigInt.asUintN(64, BigInt(value as string)))]);
  const bytes =
    kind === 'text'
      ? Buffer.from(String(value))
      : kind === 'id'
        ? Buffer.from(String(value), 'hex')
        : encode(value, kind);
  return Buffer.concat([varint(BigInt(field * 8 + 2)), varint(BigInt(bytes.length)), bytes]);
}

export function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 127n);
    if (rest < 128n) return Buffer.from([...bytes, low]);
    bytes.push(low | 128);
  }
}
