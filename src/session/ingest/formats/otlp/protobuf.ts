/**
 * OTLP's binary encoding → the documents of its JSON encoding. The fields that are read are named here by their numbers in
 * OpenTelemetry's protocol; all others are skipped. Bytes are read within their bounds: what does not fit the protocol is
 * no message.
 */
import type { BinaryDocuments } from '../format.ts';

/** Number → name and kind; `[]`: there may be several. A kind that is no number or text is another message. */
const MESSAGES: Readonly<Record<string, Readonly<Record<number, readonly [name: string, kind: string]>>>> = {
  spanRequest: { 1: ['resourceSpans', 'spanGroup[]'] },
  logRequest: { 1: ['resourceLogs', 'logGroup[]'] },
  spanGroup: { 1: ['resource', 'resource'], 2: ['scopeSpans', 'spanScope[]'] },
  logGroup: { 1: ['resource', 'resource'], 2: ['scopeLogs', 'logScope[]'] },
  resource: { 1: ['attributes', 'pair[]'] },
  spanScope: { 2: ['spans', 'span[]'] },
  logScope: { 2: ['logRecords', 'log[]'] },
  span: {
    1: ['traceId', 'id'],
    2: ['spanId', 'id'],
    4: ['parentSpanId', 'id'],
    5: ['name', 'text'],
    7: ['startTimeUnixNano', 'time'],
    8: ['endTimeUnixNano', 'time'],
    9: ['attributes', 'pair[]'],
    11: ['events', 'event[]'],
    15: ['status', 'status'],
  },
  event: { 1: ['timeUnixNano', 'time'], 2: ['name', 'text'], 3: ['attributes', 'pair[]'] },
  status: { 2: ['message', 'text'], 3: ['code', 'whole'] },
  log: {
    1: ['timeUnixNano', 'time'],
    5: ['body', 'value'],
    6: ['attributes', 'pair[]'],
    9: ['traceId', 'id'],
    10: ['spanId', 'id'],
    11: ['observedTimeUnixNano', 'time'],
    12: ['eventName', 'text'],
  },
  pair: { 1: ['key', 'text'], 2: ['value', 'value'] },
  value: {
    1: ['stringValue', 'text'],
    2: ['boolValue', 'flag'],
    3: ['intValue', 'whole'],
    4: ['doubleValue', 'double'],
    5: ['arrayValue', 'list'],
    6: ['kvlistValue', 'pairs'],
    7: ['bytesValue', 'none'],
  },
  list: { 1: ['values', 'value[]'] },
  pairs: { 1: ['values', 'pair[]'] },
};

const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH = 2;
const FOUR_BYTES = 5;
/** Which wire type each kind has; texts, ids and messages have a length. */
const WIRES: Readonly<Record<string, number>> = {
  time: EIGHT_BYTES,
  double: EIGHT_BYTES,
  whole: VARINT,
  flag: VARINT,
};
const MAX_DEPTH = 24;
/** Messages of two bytes become objects of a hundred: no more of them than this, and no exporter sends so many at once. */
const MOST_MESSAGES = 1_000_000;

type Decoded = Record<string, unknown>;
/** How many messages there may still be. */
type Room = { left: number };

/** A whole request of a known kind. Undefined: it is none. */
export function decodeRequest(bytes: Buffer, kind: 'spans' | 'logs'): Decoded | undefined {
  return decode(bytes, kind === 'spans' ? 'spanRequest' : 'logRequest', 0, { left: MOST_MESSAGES });
}

/** One group of a request: spans or log records of one resource. Undefined: they are neither. */
function decodeGroup(bytes: Buffer): Decoded | undefined {
  const kind = kindOfGroup(bytes);
  if (kind === undefined) return undefined;
  const group = decode(bytes, kind === 'spans' ? 'spanGroup' : 'logGroup', 0, { left: MOST_MESSAGES });
  if (group === undefined) return undefined;
  return kind === 'spans' ? { resourceSpans: [group] } : { resourceLogs: [group] };
}

/** Told by the first record; the group may not be there to its end. */
function kindOfGroup(bytes: Buffer): 'spans' | 'logs' | undefined {
  const scope = firstField(bytes, 2);
  const record = scope && firstField(scope, 2);
  if (record === undefined || record.length < 2) return undefined;
  // A span begins with the 16 bytes of its trace id, followed by the 8 of its own; a log record with a time.
  if (record[0] === 0x0a && record[1] === 16)
    return record.length < 20 || record[18] === 0x12 ? 'spans' : undefined;
  return record[0] === 0x09 || record[0] === 0x59 || record[0] === 0x10 ? 'logs' : undefined;
}

/** The bytes of a field, as far as they are there. */
function firstField(bytes: Buffer, wanted: number): Buffer | undefined {
  const reader = new Reader(bytes);
  while (reader.left > 0) {
    const [field, wire] = reader.tag();
    if (field === wanted && wire === LENGTH) {
      const length = reader.varint();
      return length === undefined ? undefined : bytes.subarray(reader.at, reader.at + length);
    }
    if (field === undefined || !reader.skip(wire)) return undefined;
  }
  return undefined;
}

function decode(bytes: Buffer, message: string, depth: number, room: Room): Decoded | undefined {
  room.left -= 1;
  if (depth > MAX_DEPTH || room.left < 0) return undefined;
  const fields = MESSAGES[message] ?? {};
  const decoded: Decoded = {};
  const reader = new Reader(bytes);
  while (reader.left > 0) {
    const [number, wire] = reader.tag();
    if (number === undefined) return undefined;
    const [name, stated] = (Object.hasOwn(fields, number) ? fields[number] : undefined) ?? [];
    if (name === undefined || stated === undefined) {
      if (!reader.skip(wire)) return undefined;
      continue;
    }
    const kind = stated.replace('[]', '');
    if (wire !== (WIRES[kind] ?? LENGTH)) return undefined;
    const value = readValue(reader, kind, depth, room);
    if (value === undefined) return undefined;
    const known = decoded[name];
    if (kind === stated) decoded[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else decoded[name] = [value];
  }
  return decoded;
}

function readValue(reader: Reader, kind: string, depth: number, room: Room): unknown {
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

  tag(): [field: number | undefined, wire: number] {
    const tag = this.varint();
    return tag === undefined || tag < 8 ? [undefined, 0] : [Math.floor(tag / 8), tag % 8];
  }

  skip(wire: number): boolean {
    if (wire === VARINT) return this.whole() !== undefined;
    const fixed = wire === EIGHT_BYTES ? 8 : wire === FOUR_BYTES ? 4 : undefined;
    const length = wire === LENGTH ? this.varint() : fixed;
    if (length === undefined || length > this.left) return false;
    this.at += length;
    return true;
  }

  /** A number of bytes or a field: never more than 32 bits. */
  varint(): number | undefined {
    const read = varintAt(this.#bytes, this.at);
    if (read !== undefined) this.at = read.next;
    return read?.value;
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

/** Of at most five bytes. Undefined: it is not there, or is none. */
function varintAt(bytes: Buffer, at: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let place = 1, next = at; next < at + 5; next += 1, place *= 128) {
    const byte = bytes[next];
    if (byte === undefined) return undefined;
    value += (byte & 127) * place;
    if (byte < 128) return { value, next: next + 1 };
  }
  return undefined;
}

/** The tag of a group in a request. */
const GROUP = 0x0a;

type Framing = 'none' | 'four bytes' | 'varint';

/** One request, or requests one after the other, each with its length before it: four bytes, as collectors write, or a varint. */
function framingOf(head: Buffer): Framing | undefined {
  if (beginsGroup(head, 0)) return 'none';
  if (head.length > 6 && head[0] === 0 && beginsGroup(head, 4)) return 'four bytes';
  const length = varintAt(head, 0);
  return length !== undefined && beginsGroup(head, length.next) ? 'varint' : undefined;
}

function beginsGroup(head: Buffer, at: number): boolean {
  const length = head[at] === GROUP ? varintAt(head, at + 1) : undefined;
  if (length === undefined || length.value < 4) return false;
  return kindOfGroup(head.subarray(length.next, length.next + length.value)) !== undefined;
}

export const otlpProtobuf: BinaryDocuments = {
  isFor: (head) => framingOf(head) !== undefined,
  read: (bytes, onDocument) => {
    const framing = framingOf(bytes);
    let requestEnd = framing === 'none' ? bytes.length : 0;
    for (let at = 0; at < bytes.length; ) {
      const isLength = at >= requestEnd;
      const isFour = isLength && framing === 'four bytes';
      const length = isFour ? fourBytes(bytes, at) : varintAt(bytes, isLength ? at : at + 1);
      if (length === undefined && bytes.length - at < 6) return false;
      if (length === undefined || (!isLength && bytes[at] !== GROUP)) {
        onDocument(undefined);
        return false;
      }
      const end = length.next + length.value;
      at = isLength ? length.next : end;
      if (isLength) requestEnd = end;
      else if (end > bytes.length) return false;
      else onDocument(decodeGroup(bytes.subarray(length.next, end)));
    }
    return true;
  },
};

function fourBytes(bytes: Buffer, at: number): ReturnType<typeof varintAt> {
  return bytes.length < at + 4 ? undefined : { value: bytes.readUInt32BE(at), next: at + 4 };
}
