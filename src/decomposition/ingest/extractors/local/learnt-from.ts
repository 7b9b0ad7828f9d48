import { createHash } from 'node:crypto';
import type { Weights } from './model.ts';

/** What the weights would be without one of the cases that they were learnt from, as differences. */
export type WithoutCase = {
  readonly central: Readonly<Record<string, number>>;
  /** By claim: differences in hundredths, in the order of the shipped weights, and weights that those do not have. */
  readonly relations: Readonly<
    Record<string, { readonly steps: string; readonly more: Readonly<Record<string, number>> }>
  >;
};

const SHORTEST = 80;

/** Hashes of the paragraphs of a text, without regard to spacing and punctuation. */
export function paragraphHashes(text: string): readonly string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim(),
    )
    .filter((paragraph) => paragraph.length >= SHORTEST)
    .map((paragraph) => createHash('sha256').update(paragraph).digest('hex').slice(0, 12));
}

/** The case that a text, or a paragraph of it, was learnt from. */
export function caseLearntFrom(text: string, { learntFrom }: Weights): string | undefined {
  const known = paragraphHashes(text).find((hash) => Object.hasOwn(learntFrom, hash));
  return known === undefined ? undefined : learntFrom[known];
}

/** The weights without one case: what they give for its text is what they would give for a new one. */
export function weightsWithout(weights: Weights, { central, relations }: WithoutCase): Weights {
  const tables = Object.entries(weights.relations).map(([claim, table]) => {
    const steps = relations[claim]?.steps.split(' ') ?? [];
    const own = Object.entries(table).map(
      ([name, weight], i) => [name, weight + Number(steps[i] ?? 0) / 100] as const,
    );
    return [claim, { ...Object.fromEntries(own), ...relations[claim]?.more }] as const;
  });
  return { ...weights, central, relations: Object.fromEntries(tables) };
}
