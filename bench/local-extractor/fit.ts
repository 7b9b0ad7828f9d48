/** Logistic regression with sparse features: AdaGrad over shuffled rows, a fixed seed, so the same rows give the same weights. */
import type { Features } from '../../src/decomposition/ingest/extractors/local/features.ts';
import { type Random, random } from '../../src/stats/random.ts';

export type Row = { readonly features: Features; readonly label: boolean; readonly weight?: number };
export type Fit = {
  readonly epochs: number;
  readonly decay: number;
  readonly step: number;
  /** Features in fewer rows are dropped. */
  readonly least: number;
  /** Weights nearer to 0 are dropped. */
  readonly drop: number;
};

export function learnWeights(
  rows: readonly Row[],
  { epochs, decay, step, least, drop }: Fit,
): Map<string, number> {
  const names = frequentNames(rows, least);
  const index = new Map(names.map((name, i) => [name, i]));
  const sparse = rows.map(({ features, label, weight }) => {
    const known = [...features].filter(([name]) => index.has(name));
    return {
      at: Int32Array.from(known, ([name]) => index.get(name) as number),
      strength: Float64Array.from(known, ([, strength]) => strength),
      label: label ? 1 : 0,
      weight: weight ?? 1,
    };
  });
  const weights = new Float64Array(names.length);
  const squares = new Float64Array(names.length).fill(1e-8);
  const order = sparse.map((_, i) => i);
  const source = random(1);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, source);
    for (const i of order) {
      const { at, strength, label, weight } = sparse[i] as (typeof sparse)[number];
      let odds = 0;
      for (let k = 0; k < at.length; k++)
        odds += (weights[at[k] as number] as number) * (strength[k] as number);
      const miss = (1 / (1 + Math.exp(-odds)) - label) * weight;
      for (let k = 0; k < at.length; k++) {
        const j = at[k] as number;
        const gradient = miss * (strength[k] as number) + decay * (weights[j] as number);
        squares[j] = (squares[j] as number) + gradient * gradient;
        weights[j] = (weights[j] as number) - (step * gradient) / Math.sqrt(squares[j] as number);
      }
    }
  }
  return new Map(
    names
      .map((name, i) => [name, weights[i] as number] as const)
      .filter(([, weight]) => Math.abs(weight) >= drop),
  );
}

/** The same, for dense features of different scales: learnt on standardised values, given back for plain ones. */
export function learnDenseWeights(rows: readonly Row[], options: Fit): Map<string, number> {
  const names = [...(rows[0]?.features.keys() ?? [])].filter((name) => name !== 'bias');
  const scale = new Map(
    names.map((name) => {
      const values = rows.map(({ features }) => features.get(name) ?? 0);
      const mean = values.reduce((a, b) => a + b, 0) / values.length;
      const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length;
      return [name, { mean, deviation: Math.sqrt(variance) || 1 }] as const;
    }),
  );
  const standard = rows.map((row) => ({
    ...row,
    features: new Map([
      ['bias', 1],
      ...[...scale].map(
        ([name, { mean, deviation }]) => [name, ((row.features.get(name) ?? 0) - mean) / deviation] as const,
      ),
    ]),
  }));
  const learnt = learnWeights(standard, options);
  const plain = new Map<string, number>();
  let bias = learnt.get('bias') ?? 0;
  for (const [name, { mean, deviation }] of scale) {
    const weight = (learnt.get(name) ?? 0) / deviation;
    plain.set(name, weight);
    bias -= weight * mean;
  }
  return plain.set('bias', bias);
}

function frequentNames(rows: readonly Row[], least: number): string[] {
  const counts = new Map<string, number>();
  for (const { features } of rows) {
    for (const name of features.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= least).map(([name]) => name);
}

function shuffle(order: number[], source: Random): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = source.below(i + 1);
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
}
