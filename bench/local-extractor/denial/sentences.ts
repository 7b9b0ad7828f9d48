/** Sentences written for this purpose that deny, doubt, lessen or state one relationship each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const KINDS = ['negated', 'doubted', 'lessened', 'stated'] as const;
export type Kind = (typeof KINDS)[number];

export type Sentence = {
  readonly kind: Kind;
  readonly source: string;
  readonly predicate: string;
  readonly target: string;
  readonly text: string;
};

/** The rules were written with one part in view; the other was written before them and only measured. */
export const PARTS = ['developed-on', 'held-out'] as const;
export type Part = (typeof PARTS)[number];

export function readSentences(part: Part): readonly Sentence[] {
  const lines = readFileSync(join(import.meta.dirname, `${part}.txt`), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const match = /^(\w+) \| (.+) ([A-Z_]+) (.+) \| (.+)$/.exec(line);
      const [, name, source, predicate, target, text] = match ?? [];
      const kind = KINDS.find((one) => one === name);
      if (kind === undefined || !source || !predicate || !target || !text) {
        throw new Error(`${part}.txt: "${line}" is not "kind | source PREDICATE target | sentence"`);
      }
      return { kind, source, predicate, target, text };
    });
}
