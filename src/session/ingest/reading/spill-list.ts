/**
 * A long list of plain data in little memory: kept as JSON, in portions. The first portion stays in memory, so that a
 * short list never touches the disk; the others go to a file without a name, which is gone when the process ends.
 */
import { closeSync, readSync, writeSync } from 'node:fs';
import { openNamelessFile } from '../../../nameless-file.ts';

/** A nameless file that all threads write to, each where the last one ended. */
export type Spill = { readonly file: number; readonly end: SharedArrayBuffer };

/** A part of the list: its JSON, or where in the file that stands. */
export type Portion =
  | { readonly json: string }
  | { readonly file: number; readonly at: number; readonly length: number };

const PORTION_CHARS = 128 * 1024;

/** Undefined where nothing can be written: everything then stays in memory. */
export function openSpill(): Spill | undefined {
  try {
    return { file: openNamelessFile(), end: new SharedArrayBuffer(8) };
  } catch {
    return undefined;
  }
}

export function closeSpill(spill: Spill | undefined): void {
  if (spill !== undefined) closeSync(spill.file);
}

export class SpillList<Value> {
  readonly #spill: Spill | undefined;
  readonly #portions: Portion[] = [];
  #waiting: string[] = [];
  readonly #portionChars: number;
  #chars = 0;
  #allChars = 0;
  #count = 0;

  constructor(spill: Spill | undefined, portionChars = PORTION_CHARS) {
    this.#spill = spill;
    this.#portionChars = portionChars;
  }

  get count(): number {
    return this.#count;
  }

  /** How long it is as text. */
  get chars(): number {
    return this.#allChars;
  }

  add(value: Value): void {
    const json = JSON.stringify(value);
    this.#waiting.push(json);
    this.#count += 1;
    this.#chars += json.length + 1;
    this.#allChars += json.length + 1;
    if (this.#chars >= this.#portionChars) this.#flush();
  }

  /** All of it so far; more may be added afterwards. */
  portions(): readonly Portion[] {
    this.#flush();
    return this.#portions;
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const portion = { json: `[${this.#waiting.join(',')}]` };
    this.#portions.push(this.#portions.length === 0 ? portion : spilled(portion, this.#spill));
    this.#waiting = [];
    this.#chars = 0;
  }
}

export function* valuesOf<Value>(portions: readonly Portion[]): Generator<Value, void, undefined> {
  for (const portion of portions) yield* JSON.parse(portionText(portion)) as Value[];
}

/** One of them, by its place in its portion. */
export function valueAt<Value>(portion: Portion, index: number): Value {
  return (JSON.parse(portionText(portion)) as Value[])[index] as Value;
}

export function portionText(portion: Portion): string {
  if ('json' in portion) return portion.json;
  const { file, at, length } = portion;
  const bytes = roomFor(length);
  for (let done = 0; done < length; ) {
    const read = readSync(file, bytes, done, length - done, at + done);
    if (read === 0) throw new Error('what was put aside on the disk is gone');
    done += read;
  }
  return bytes.toString('utf8', 0, length);
}

/** The same portion on the disk; as it is when the disk takes no more. */
export function spilled(portion: Portion, spill: Spill | undefined): Portion {
  if (spill === undefined || !('json' in portion)) return portion;
  const { file, end } = spill;
  // A character of JavaScript takes at most three bytes.
  const bytes = roomFor(3 * portion.json.length);
  const length = bytes.write(portion.json);
  const at = Number(Atomics.add(new BigInt64Array(end), 0, BigInt(length)));
  try {
    for (let done = 0; done < length; ) done += writeSync(file, bytes, done, length - done, at + done);
  } catch {
    return portion;
  }
  return { file, at, length };
}

let room = Buffer.alloc(0);

/** The same bytes again and again: new ones for each portion would pile up until somebody collects them. */
function roomFor(length: number): Buffer {
  if (room.length < length) room = Buffer.allocUnsafeSlow(length);
  return room;
}
