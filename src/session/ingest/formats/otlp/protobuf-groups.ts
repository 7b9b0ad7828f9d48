/**
 * A file of OTLP's binary encoding → its groups, one at a time: one request, or requests one after the other, each
 * with its length before it (four bytes, as collectors write files, or a varint).
 */
import type { BinaryDocuments, PortionReader } from '../format.ts';
import { decodeGroup, kindOfGroup } from './protobuf.ts';

const GROUP = 0x0a;
const MAX_GROUP_BYTES = 32 * 1024 * 1024;

type Framing = 'none' | 'four bytes' | 'varint';

export const otlpProtobuf: BinaryDocuments = {
  isFor: (head) => framingOf(head) !== undefined,
  empty: { resourceSpans: [] },
  read: (onPortion, onSkip) => new GroupReader(onPortion, onSkip),
};

function framingOf(head: Buffer): Framing | undefined {
  if (beginsGroup(head, 0)) return 'none';
  if (head.length > 6 && head[0] === 0 && beginsGroup(head, 4)) return 'four bytes';
  const length = lengthAt(head, 0);
  return length !== undefined && beginsGroup(head, length.next) ? 'varint' : undefined;
}

function beginsGroup(head: Buffer, at: number): boolean {
  if (head[at] !== GROUP) return false;
  const length = lengthAt(head, at + 1);
  if (length === undefined || length.value < 4) return false;
  return kindOfGroup(head.subarray(length.next, length.next + length.value)) !== undefined;
}

/** Undefined: it is not there, or no length. */
function lengthAt(bytes: Buffer, at: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let place = 1, next = at; next < at + 5; next += 1, place *= 128) {
    const byte = bytes[next];
    if (byte === undefined) return undefined;
    value += (byte & 127) * place;
    if (byte < 128) return { value, next: next + 1 };
  }
  return undefined;
}

class GroupReader implements PortionReader {
  readonly #onPortion: (document: unknown) => void;
  readonly #onSkip: (reason: 'over 32 MB' | 'not understood') => void;
  #framing: Framing | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  /** Chunks that came since, until there are as many bytes as the next group has. */
  #more: Buffer[] = [];
  #length = 0;
  #needed = 0;
  /** Bytes of a group that is too large, still to be passed over. */
  #passing = 0;
  /** Bytes left of the request that is being read, where requests have a length. */
  #request = 0;
  #isDamaged = false;

  constructor(
    onPortion: (document: unknown) => void,
    onSkip: (reason: 'over 32 MB' | 'not understood') => void,
  ) {
    this.#onPortion = onPortion;
    this.#onSkip = onSkip;
  }

  push(chunk: Buffer): void {
    if (this.#isDamaged) return;
    const passed = Math.min(this.#passing, chunk.length);
    this.#passing -= passed;
    this.#more.push(Buffer.from(chunk.subarray(passed)));
    this.#length += chunk.length - passed;
    if (this.#length >= this.#needed) this.#takeAll();
  }

  #takeAll(): void {
    this.#bytes = Buffer.concat([this.#bytes, ...this.#more]);
    this.#more = [];
    this.#needed = 0;
    this.#framing ??= framingOf(this.#bytes);
    let at = 0;
    for (let next = this.#take(at); next !== undefined; next = this.#take(at)) at = next;
    this.#bytes = this.#bytes.subarray(at);
    this.#length = this.#bytes.length;
    this.#needed -= at;
  }

  /** True when the last group is there to its end. */
  end(): boolean {
    return !this.#isDamaged && this.#length === 0 && this.#passing === 0;
  }

  /** Where the next one begins; undefined when more must come, or nothing can. */
  #take(at: number): number | undefined {
    if (this.#isDamaged || at >= this.#bytes.length) return undefined;
    if (this.#request <= 0 && this.#framing !== 'none') return this.#takeLength(at);
    if (this.#bytes[at] !== GROUP) return this.#giveUp();
    const length = lengthAt(this.#bytes, at + 1);
    if (length === undefined) return this.#bytes.length - at > 6 ? this.#giveUp() : undefined;
    const end = length.next + length.value;
    if (length.value > MAX_GROUP_BYTES) {
      this.#onSkip('over 32 MB');
      this.#passing = Math.max(0, end - this.#bytes.length);
      this.#request -= end - at;
      return Math.min(end, this.#bytes.length);
    }
    if (end > this.#bytes.length) {
      this.#needed = end;
      return undefined;
    }
    const document = decodeGroup(this.#bytes.subarray(length.next, end));
    if (document === undefined) this.#onSkip('not understood');
    else this.#onPortion(document);
    this.#request -= end - at;
    return end;
  }

  #takeLength(at: number): number | undefined {
    const isFour = this.#framing === 'four bytes';
    if (isFour && this.#bytes.length - at < 4) return undefined;
    const length = isFour ? { value: this.#bytes.readUInt32BE(at), next: at + 4 } : lengthAt(this.#bytes, at);
    if (length === undefined) return this.#bytes.length - at > 5 ? this.#giveUp() : undefined;
    this.#request = length.value;
    return length.next;
  }

  #giveUp(): undefined {
    this.#isDamaged = true;
    this.#onSkip('not understood');
    return undefined;
  }
}
