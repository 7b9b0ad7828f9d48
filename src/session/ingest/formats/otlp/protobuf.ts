/**
 * OTLP's binary encoding → the documents of its JSON encoding. The fields that are read are named here by their
 * numbers in OpenTelemetry's protocol; all others are passed over. Bytes are read within their bounds: what does not
 * fit the protocol is no message.
 */

type Kind = 'text' | 'id' | 'time' | 'whole' | 'double' | 'flag' | 'none';
type Field = { readonly name: string; readonly kind: Kind | Message; readonly many?: true };
type Message = { readonly [field: number]: Field };

const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH = 2;
const FOUR_BYTES = 5;
/** Which wire type each kind has; messages have a length. */
const WIRES: Readonly<Record<Kind, number>> = {
  text: LENGTH,
  id: LENGTH,
  time: EIGHT_BYTES,
  whole: VARINT,
  double: EIGHT_BYTES,
  flag: VARINT,
  none: LENGTH,
};
const MAX_DEPTH = 24;

// Values hold values, so these two refer to each other.
const VALUE: { [field: number]: Field } = {
  1: { name: 'stringValue', kind: 'text' },
  2: { name: 'boolValue', kind: 'flag' },
  3: { name: 'intValue', kind: 'whole' },
  4: { name: 'doubleValue', kind: 'double' },
  7: { name: 'bytesValue', kind: 'none' },
};
const PAIR: Message = { 1: { name: 'key', kind: 'text' }, 2: { name: 'value', kind: VALUE } };
VALUE[5] = { name: 'arrayValue', kind: { 1: { name: 'values', kind: VALUE, many: true } } };
VALUE[6] = { name: 'kvlistValue', kind: { 1: { name: 'values', kind: PAIR, many: true } } };

const attributes = { name: 'attributes', kind: PAIR, many: true } as const;
const EVENT: Message = {
  1: { name: 'timeUnixNano', kind: 'time' },
  2: { name: 'name', kind: 'text' },
  3: attributes,
};
const STATUS: Message = { 2: { name: 'message', kind: 'text' }, 3: { name: 'code', kind: 'whole' } };
const SPAN: Message = {
  1: { name: 'traceId', kind: 'id' },
  2: { name: 'spanId', kind: 'id' },
  4: { name: 'parentSpanId', kind: 'id' },
  5: { name: 'name', kind: 'text' },
  7: { name: 'startTimeUnixNano', kind: 'time' },
  8: { name: 'endTimeUnixNano', kind: 'time' },
  9: attributes,
  11: { name: 'events', kind: EVENT, many: true },
  15: { name: 'status', kind: STATUS },
};
const LOG: Message = {
  1: { name: 'timeUnixNano', kind: 'time' },
  5: { name: 'body', kind: VALUE },
  6: attributes,
  9: { name: 'traceId', kind: 'id' },
  10: { name: 'spanId', kind: 'id' },
  11: { name: 'observedTimeUnixNano', kind: 'time' },
  12: { name: 'eventName', kind: 'text' },
};
const RESOURCE: Field = { name: 'resource', kind: { 1: attributes } };
const SPANS: Message = {
  1: RESOURCE,
  2: { name: 'scopeSpans', kind: { 2: { name: 'spans', kind: SPAN, many: true } }, many: true },
};
const LOGS: Message = {
  1: RESOURCE,
  2: { name: 'scopeLogs', kind: { 2: { name: 'logRecords', kind: LOG, many: true } }, many: true },
};

/** The bytes of one group of a request: spans or log records of one resource. Undefined: they are neither. */
export function decodeGroup(bytes: Buffer): Record<string, unknown> | undefined {
  const kind = kindOfGroup(bytes);
  if (kind === undefined) return undefined;
  const group = decode(bytes, kind === 'spans' ? SPANS : LOGS, 0);
  if (group === undefined) return undefined;
  return kind === 'spans' ? { resourceSpans: [group] } : { resourceLogs: [group] };
}

const REQUESTS = {
  spans: { 1: { name: 'resourceSpans', kind: SPANS, many: true } },
  logs: { 1: { name: 'resourceLogs', kind: LOGS, many: true } },
} as const satisfies Record<string, Message>;

/** Messages of two bytes become objects of a hundred: no more of them than this, and no exporter sends so many at once. */
const MOST_MESSAGES = 1_000_000;

/** A whole request of which is known what it holds. Undefined: it is none. */
export function decodeRequest(bytes: Buffer, kind: 'spans' | 'logs'): Record<string, unknown> | undefined {
  return decode(bytes, REQUESTS[kind], 0, { left: MOST_MESSAGES });
}

/** Told by the first record; the group may not be there to its end. */
export function kindOfGroup(bytes: Buffer): 'spans' | 'logs' | undefined {
  const scope = firstField(bytes, 2);
  const record = scope && firstField(scope, 2);
  if (record === undefined || record.length < 2) return undefined;
  // A span begins with the 16 bytes of its trace's id, then come the 8 of its own; a log record with a time.
  if (record[0] === 0x0a && record[1] === 16)
    return record.length < 20 || record[18] === 0x12 ? 'spans' : undefined;
  return record[0] === 0x09 || record[0] === 0x59 || record[0] === 0x10 ? 'logs' : undefined;
}

/** The bytes of a field, as far as they are there. */
function firstField(bytes: Buffer, wanted: number): Buffer | undefined {
  const reader = new Reader(bytes);
  while (reader.at < bytes.length) {
    const [field, wire] = tagOf(reader);
    if (field === undefined) return undefined;
    if (wire !== LENGTH) {
      if (!skip(reader, wire)) return undefined;
      continue;
    }
    const length = reader.varint();
    if (length === undefined) return undefined;
    if (field === wanted) return bytes.subarray(reader.at, Math.min(bytes.length, reader.at + length));
    reader.at += length;
  }
  return undefined;
}

/** How many messages there may still be. */
type Room = { left: number };

function decode(
  bytes: Buffer,
  message: Message,
  depth: number,
  room?: Room,
): Record<string, unknown> | undefined {
  if (depth > MAX_DEPTH || (room !== undefined && --room.left < 0)) return undefined;
  const decoded: Record<string, unknown> = {};
  const reader = new Reader(bytes);
  while (reader.at < bytes.length) {
    const [number, wire] = tagOf(reader);
    if (number === undefined) return undefined;
    const field = Object.hasOwn(message, number) ? message[number] : undefined;
    if (field === undefined) {
      if (!skip(reader, wire)) return undefined;
      continue;
    }
    if (wire !== (typeof field.kind === 'string' ? WIRES[field.kind] : LENGTH)) return undefined;
    const value = readValue(reader, field.kind, depth, room);
    if (value === undefined) return undefined;
    const known = decoded[field.name];
    if (field.many !== true) decoded[field.name] = value;
    else if (Array.isArray(known)) known.push(value);
    else decoded[field.name] = [value];
  }
  return decoded;
}

function tagOf(reader: Reader): [field: number | undefined, wire: number] {
  const tag = reader.varint();
  return tag === undefined || tag < 8 ? [undefined, 0] : [Math.floor(tag / 8), tag % 8];
}

function skip(reader: Reader, wire: number): boolean {
  if (wire === VARINT) return reader.varint() !== undefined;
  const length =
    wire === EIGHT_BYTES ? 8 : wire === FOUR_BYTES ? 4 : wire === LENGTH ? reader.varint() : undefined;
  if (length === undefined || length > reader.left) return false;
  reader.at += length;
  return true;
}

function readValue(reader: Reader, kind: Kind | Message, depth: number, room: Room | undefined): unknown {
  if (kind === 'whole') return reader.whole();
  if (kind === 'flag') return reader.whole() === '1';
  if (kind === 'time' || kind === 'double') return reader.eightBytes(kind);
  const bytes = reader.delimited();
  if (bytes === undefined) return undefined;
  if (kind === 'text') return bytes.toString('utf8');
  if (kind === 'id') return bytes.toString('hex');
  return kind === 'none' ? '' : decode(bytes, kind, depth + 1, room);
}

class Reader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.at;
  }

  /** A number of bytes or a field: never more than 32 bits. */
  varint(): number | undefined {
    let value = 0;
    for (let place = 1, read = 0; read < 5; read += 1, place *= 128) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) return undefined;
      this.at += 1;
      value += (byte & 127) * place;
      if (byte < 128) return value;
    }
    return undefined;
  }

  /** 64 bits with a sign, in digits, as the JSON encoding writes them. */
  whole(): string | undefined {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) return undefined;
      this.at += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return String(BigInt.asIntN(64, value));
    }
    return undefined;
  }

  eightBytes(kind: 'time' | 'double'): string | number | undefined {
    if (this.left < 8) return undefined;
    this.at += 8;
    return kind === 'time'
      ? String(this.#bytes.readBigUInt64LE(this.at - 8))
      : this.#bytes.readDoubleLE(this.at - 8);
  }

  delimited(): Buffer | undefined {
    const length = this.varint();
    if (length === undefined || length > this.left) return undefined;
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
}
