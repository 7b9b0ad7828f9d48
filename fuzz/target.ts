/** What is fuzzed, and what must hold whatever it is given. */
import { isDeepStrictEqual } from 'node:util';
import { AssayError } from '../src/errors.ts';

export type Target = {
  /** The folder of its corpus, e.g. `session/codex`. */
  readonly name: string;
  /** Initial inputs in addition to the corpus: existing files of the repository. */
  readonly seeds: () => readonly Buffer[];
  /** `folder` is empty and only for this target; the result is checked by `examine`. */
  readonly open: (folder: string) => Opened | Promise<Opened>;
};

export type Opened = {
  readonly read: (input: Buffer) => unknown;
  readonly close?: () => unknown;
  /** It changes something, so that the same input may be answered in another way the second time. */
  readonly changes?: true;
};

/** Something that must always hold did not. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

/** A longer message repeats its input. */
const LONGEST_MESSAGE = 10_000;

/** The result of an input, or an error that says what is wrong. Everything else is thrown. */
export type Outcome = { readonly result: unknown } | { readonly refused: string };

export async function examine(opened: Opened, input: Buffer): Promise<Outcome> {
  const first = await outcomeOf(opened, input);
  if (opened.changes !== true && !isDeepStrictEqual(first, await outcomeOf(opened, input)))
    throw new Broken('two readings of the same input differ');
  if ('result' in first) demandFinite(first.result);
  if (Object.keys(Object.prototype).length > 0 || 'polluted' in {})
    throw new Broken('the input has changed what every object inherits');
  return first;
}

async function outcomeOf({ read }: Opened, input: Buffer): Promise<Outcome> {
  try {
    return { result: await read(Buffer.from(input)) };
  } catch (error) {
    if (!(error instanceof AssayError) || error.code === 'INTERNAL') throw error;
    if (error.message.length > LONGEST_MESSAGE)
      throw new Broken(`${error.code} has a message of ${error.message.length} characters`);
    return { refused: `${error.code} ${error.message}` };
  }
}

/** A number that is none ends up as `null` on the wire, or poisons a mean. */
function demandFinite(result: unknown): void {
  const left: unknown[] = [result];
  const seen = new Set<object>();
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Broken(`a number is ${value}`);
    if (typeof value !== 'object' || value === null || seen.has(value) || ArrayBuffer.isView(value)) continue;
    seen.add(value);
    left.push(...(value instanceof Map || value instanceof Set ? value : Object.values(value)));
  }
}
