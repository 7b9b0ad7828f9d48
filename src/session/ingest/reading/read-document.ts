/** A file that is one JSON document → a transcript, element by element. A large one is never held as a whole. */

import { nameOfFile } from '../files/name-by-file.ts';
import { PackingError } from '../files/open-input.ts';
import type { BinaryDocuments, DocumentPortions, LoadedFormat } from '../formats/format.ts';
import { detectFormat } from '../formats/load-formats.ts';
import { DocumentSplitter, type Item } from '../json/split-document.ts';
import { countLine, countSkip, emptyTally, type TallyState } from './tally.ts';
import { type LeaveOut, type Listen, Transcript } from './transcript.ts';

/** Documents up to this size are parsed at once. */
export const MAX_WHOLE_BYTES = 16 * 1024 * 1024;
/** What stands beside the long arrays of a large document: its parts, and all of them together. */
const MAX_PART_BYTES = 1024 * 1024;
const MAX_HEADER_BYTES = 8 * 1024 * 1024;
const MAX_ARRAYS = 16;
const MAX_ELEMENT_BYTES = 32 * 1024 * 1024;

export type DocumentRead = { readonly transcript: Transcript | undefined; readonly tally: TallyState };

export type DocumentOptions = {
  readonly path: string;
  readonly formats: readonly LoadedFormat[];
  readonly leaveOut?: LeaveOut | undefined;
  readonly listen?: Listen | undefined;
};

/** Undefined when the bytes are no document. */
export function readWholeDocument(bytes: Buffer, options: DocumentOptions): DocumentRead | undefined {
  const document = parse(bytes);
  if (typeof document !== 'object' || document === null) return undefined;
  const taker = new ElementTaker(options);
  taker.takeDocument(document);
  return taker.end();
}

/**
 * `open` is called twice: once to see what the document consists of, once to go through its long arrays. To the
 * format each element looks like a document with this one element in it; parts that every such document repeats are
 * taken once, where they stood. A document whose end is missing gives the elements that are whole.
 */
export async function readLargeDocument(
  openFile: () => AsyncIterable<Buffer>,
  options: DocumentOptions,
): Promise<DocumentRead> {
  const open = () => untilDamage(openFile());
  const taker = new ElementTaker(options);
  const { header, arrays, isArray, fits } = await outline(open);
  if (!fits) return taker.refuse();
  const portions = options.formats.find((format) => format.portions?.isFor(arrays))?.portions;
  if (portions !== undefined) return readPortions(open, portions, taker);
  const around = (key: string | undefined, values: readonly unknown[]): unknown =>
    isArray
      ? values
      : { ...header, ...Object.fromEntries(arrays.map((one) => [one, one === key ? values : []])) };
  const onItem = ({ key, value, tooLarge }: Item): void => {
    if (!isArray && (key === undefined || !arrays.includes(key))) return;
    if (value === undefined) taker.skip(tooLarge ? 'over 32 MB' : 'not JSON');
    else taker.takePart(around(key, [value]), around(undefined, []));
  };
  const splitter = new DocumentSplitter([new Set(arrays)], MAX_ELEMENT_BYTES, onItem);
  for await (const chunk of open()) {
    splitter.push(chunk);
    if (splitter.ended || taker.hopeless) break;
  }
  return taker.end(!splitter.ended && !taker.hopeless);
}

/** What cannot be unpacked any further is a document whose end is missing. */
async function* untilDamage(
  chunks: AsyncIterable<Buffer>,
  onDamage: () => void = () => {},
): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof PackingError)) throw error;
    onDamage();
  }
}

/** The elements of its arrays are not small enough to be taken one by one. */
async function readPortions(
  open: () => AsyncIterable<Buffer>,
  { path, empty, collect }: DocumentPortions,
  taker: ElementTaker,
): Promise<DocumentRead> {
  const portions = collect((document) => taker.takePart(document, empty));
  const splitter = new DocumentSplitter(path, MAX_ELEMENT_BYTES, (item) => {
    if (!portions.take(item)) taker.skip(item.tooLarge ? 'over 32 MB' : 'not JSON');
  });
  for await (const chunk of open()) {
    splitter.push(chunk);
    if (splitter.ended || taker.hopeless) break;
  }
  portions.flush();
  return taker.end(!splitter.ended && !taker.hopeless);
}

/** A file that is no text: the format makes small documents of its bytes. */
export async function readBinary(
  chunks: AsyncIterable<Buffer>,
  { empty, read }: BinaryDocuments,
  options: DocumentOptions,
): Promise<DocumentRead> {
  const taker = new ElementTaker(options);
  let isDamaged = false;
  const isWhole = await read(
    untilDamage(chunks, () => {
      isDamaged = true;
    }),
    (document) => taker.takePart(document, empty),
    (reason) => taker.skip(reason),
  );
  return taker.end(!isWhole || isDamaged);
}

type Outline = {
  readonly header: Record<string, unknown>;
  readonly arrays: readonly string[];
  readonly isArray: boolean;
  /** False when what stands beside the arrays is itself too much to be kept. */
  readonly fits: boolean;
};

async function outline(open: () => AsyncIterable<Buffer>): Promise<Outline> {
  const header: Record<string, unknown> = Object.create(null);
  const arrays: string[] = [];
  let isArray = false;
  let bytes = 0;
  const splitter = new DocumentSplitter([], MAX_PART_BYTES, ({ key, value, ...item }) => {
    if (key === undefined) isArray = true;
    else if (item.tooLarge && item.isArray) arrays.push(key);
    else if (value !== undefined) {
      header[key] = value;
      bytes += item.bytes + 100;
    }
  });
  const fits = () => bytes <= MAX_HEADER_BYTES && arrays.length <= MAX_ARRAYS;
  for await (const chunk of open()) {
    splitter.push(chunk);
    if (splitter.ended || isArray || !fits()) break;
  }
  const { unfinishedArray } = splitter;
  if (unfinishedArray !== undefined) arrays.push(unfinishedArray);
  return { header, arrays, isArray, fits: fits() };
}

class ElementTaker {
  readonly #options: DocumentOptions;
  readonly #tally = emptyTally();
  #transcript: Transcript | undefined;
  #index = 0;
  #asked = 0;
  #repeated: readonly unknown[] | undefined;
  #afterwards: unknown[] = [];

  constructor(options: DocumentOptions) {
    this.#options = options;
  }

  /** No format knows the first elements: the others are not looked at. */
  get hopeless(): boolean {
    return this.#transcript === undefined && this.#asked >= 20;
  }

  takeDocument(document: unknown): void {
    if (!this.#knows(document)) return;
    try {
      // One at a time: they may lie in files of their own.
      for (const element of this.#elementsIn(document)) this.#take(element);
    } catch {
      countSkip(this.#tally, 'not understood', this.#index + 1);
    }
  }

  takePart(part: unknown, empty: unknown): void {
    if (!this.#knows(part)) return;
    this.#repeated ??= this.#elementsOf(empty);
    const isFirst = this.#index === 0;
    let sawOwn = false;
    for (const element of this.#elementsOf(part)) {
      const isRepeated = this.#repeated.some((known) => isSame(known, element));
      if (!isRepeated) {
        this.#take(element);
        sawOwn = true;
      } else if (isFirst && !sawOwn) this.#take(element);
      else if (isFirst) this.#afterwards.push(element);
    }
  }

  skip(reason: 'over 32 MB' | 'not JSON' | 'not understood'): void {
    this.#index += 1;
    countLine(this.#tally, this.#index);
    countSkip(this.#tally, reason, this.#index);
  }

  refuse(): DocumentRead {
    countSkip(this.#tally, 'document too large', 1);
    return { transcript: undefined, tally: this.#tally };
  }

  end(isCutOff = false): DocumentRead {
    for (const element of this.#afterwards) this.#take(element);
    if (isCutOff) countSkip(this.#tally, 'cut off at the end', Math.max(1, this.#index));
    if (this.#transcript === undefined) countSkip(this.#tally, 'not a transcript', 1);
    return { transcript: this.#transcript, tally: this.#tally };
  }

  #knows(document: unknown): boolean {
    if (this.#transcript !== undefined) return true;
    this.#asked += 1;
    const { path, formats, leaveOut, listen } = this.#options;
    const sample = { records: [document], path };
    const format =
      detectFormat({ ...sample, document: true }, formats) ??
      detectFormat({ ...sample, document: false }, formats);
    if (format === undefined) return false;
    const name = nameOfFile(path);
    this.#transcript = new Transcript({ format, path, tally: this.#tally, leaveOut, name, listen });
    return true;
  }

  #elementsIn(document: unknown): Iterable<unknown> {
    const { path } = this.#options;
    return this.#transcript?.format.elements?.(document, { path }) ?? [document];
  }

  #elementsOf(document: unknown): unknown[] {
    try {
      return [...this.#elementsIn(document)];
    } catch {
      countSkip(this.#tally, 'not understood', this.#index + 1);
      return [];
    }
  }

  #take(element: unknown): void {
    this.#index += 1;
    countLine(this.#tally, this.#index);
    this.#transcript?.tryTake(element, this.#index);
  }
}

/** Made of the very same parts: what a format says about a document is the same for each of its elements. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  const values = b as Record<string, unknown>;
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && Object.is((a as Record<string, unknown>)[key], values[key]))
  );
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
