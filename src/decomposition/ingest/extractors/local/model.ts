import { type Commonness, commonnessOf } from './commonness.ts';

/** What was learnt, as it is stored: `weights.json`, written by `bench/local-extractor/train.ts`. */
export type Weights = {
  /** How rare stems are in abstracts and in everyday sentences. */
  readonly abstracts: Readonly<Record<string, number>>;
  readonly everyday: Readonly<Record<string, number>>;
  readonly phrase: Readonly<Record<string, number>>;
  readonly central: Readonly<Record<string, number>>;
  /** By claim, such as `CAUSES>`. */
  readonly relations: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The golden cases among what it was learnt from, by the hashes of their paragraphs. */
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
