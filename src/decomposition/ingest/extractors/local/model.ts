import { createHash } from 'node:crypto';
import type { Features } from './features.ts';

/** The trained weights as stored in `weights.json`, written by `bench/local-extractor/train.ts`. */
export type Weights = {
  /** How rare stems are in abstracts and in everyday sentences. */
  readonly abstracts: Readonly<Record<string, number>>;
  readonly everyday: Readonly<Record<string, number>>;
  readonly phrase: Readonly<Record<string, number>>;
  readonly central: Readonly<Record<string, number>>;
  readonly relations: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The golden cases in the training data, by the hashes of their paragraphs. */
  readonly learntFrom: Readonly<Record<string, string>>;
};

export type Model = {
  readonly abstracts: Commonness;
  readonly everyday: Commonness;
  readonly phrase: ReadonlyMap<string, number>;
  readonly central: ReadonlyMap<string, number>;
  readonly relations: ReadonlyMap<string, ReadonlyMap<string, number>>;
};

export function modelOf(weights: Weights): Model {
  const map = (table: Readonly<Record<string, number>>) => new Map(Object.entries(table));
  return {
    abstracts: commonnessOf(weights.abstracts),
    everyday: commonnessOf(weights.everyday),
    phrase: map(weights.phrase),
    central: map(weights.central),
    relations: new Map(Object.entries(weights.relations).map(([claim, table]) => [claim, map(table)])),
  };
}

/** The weights trained without one case, as differences. */
export type WithoutCase = {
  readonly central: Readonly<Record<string, number>>;
  /** By claim: differences in hundredths, in the order of the shipped weights, and additional weights. */
  readonly relations: Readonly<
    Record<string, { readonly steps: string; readonly more: Readonly<Record<string, number>> }>
  >;
};

const SHORTEST = 80;

/** Hashes of the paragraphs of a text, ignoring spacing and punctuation. */
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

/** The training case of a text or of one of its paragraphs. */
export function caseLearntFrom(text: string, { learntFrom }: Weights): string | undefined {
  const known = paragraphHashes(text).find((hash) => Object.hasOwn(learntFrom, hash));
  return known === undefined ? undefined : learntFrom[known];
}

/** The weights without one case, which treat its text like a new one. */
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

/** Log odds: the sum of the weights of the given features. A feature without a weight counts 0. */
export function logOdds(weights: ReadonlyMap<string, number>, features: Features): number {
  let sum = 0;
  for (const [name, strength] of features) sum += (weights.get(name) ?? 0) * strength;
  return sum;
}

export function probability(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** How rare words are in ordinary English prose: the logarithm of the inverse document frequency. */
export type Commonness = {
  /** By stem; a word missing from the table is rarer than all in it. */
  readonly rarity: (stem: string) => number;
  readonly known: (stem: string) => boolean;
};

export function commonnessOf(table: Readonly<Record<string, number>>): Commonness {
  const entries = new Map(Object.entries(table));
  const rarest = Math.max(0, ...entries.values()) + 1;
  return {
    rarity: (stem) => entries.get(stem) ?? rarest,
    known: (stem) => entries.has(stem),
  };
}
