import type { Moments } from '../../../stats/moments.ts';
import { rollupOf, type SessionRollup, SUMMED_CATEGORIES } from '../../../store/rollup.ts';

/** Several as one, of no bucket and no group; of none, nothing. */
export function addRollups(rollups: readonly SessionRollup[]): SessionRollup {
  return rollups.reduce(addTwo, rollupOf(undefined, {}, [], []));
}

function addTwo(a: SessionRollup, b: SessionRollup): SessionRollup {
  return {
    group: {},
    sessions: a.sessions + b.sessions,
    q: addMoments(a.q, b.q),
    tiers: addEach(a.tiers, b.tiers),
    lowConfidence: a.lowConfidence + b.lowConfidence,
    concerns: addEach(a.concerns, b.concerns),
    cost: addEach(a.cost, b.cost),
    priced: {
      q: addMoments(a.priced.q, b.priced.q),
      sumUsd: a.priced.sumUsd + b.priced.sumUsd,
      atLeast: a.priced.atLeast + b.priced.atLeast,
    },
    categories: Object.fromEntries(
      SUMMED_CATEGORIES.map((name) => [name, addMoments(a.categories[name], b.categories[name])]),
    ) as SessionRollup['categories'],
    turns: a.turns + b.turns,
    tokens: addEach(a.tokens, b.tokens),
    histograms: {
      q: addLists(a.histograms?.q ?? [], b.histograms?.q ?? []),
      coverage: addLists(a.histograms?.coverage ?? [], b.histograms?.coverage ?? []),
    },
  };
}

function addMoments(a: Moments, b: Moments): Moments {
  return addEach(a, b);
}

function addEach<Key extends string>(a: Readonly<Record<Key, number>>, b: Readonly<Record<Key, number>>) {
  const sum: Record<Key, number> = { ...a };
  for (const name of Object.keys(sum) as Key[]) sum[name] += b[name];
  return sum;
}

function addLists(a: readonly number[], b: readonly number[]): readonly number[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  return longer.map((value, i) => value + (shorter[i] ?? 0));
}
