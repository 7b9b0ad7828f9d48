import type { Weights } from '../../src/decomposition/ingest/extractors/local/model.ts';
import { type Base, learnCentral, learnRelations, type Marked, type Prepared, type Table } from './learn.ts';

/** What the product ships, learnt from everything that is there to learn from. */
export function shippedWeights(base: Base, cases: readonly Prepared[], marked: readonly Marked[]): Weights {
  const relations = learnRelations(cases, marked);
  return {
    abstracts: plain(base.abstracts),
    everyday: plain(base.everyday),
    phrase: plain(base.phrase),
    central: plain(learnCentral(cases)),
    relations: Object.fromEntries([...relations].map(([claim, table]) => [claim, plain(table)])),
  };
}

/** Three digits are enough; sorted, so that a change shows as one. */
function plain(table: Table): Record<string, number> {
  const rounded = [...table].map(([name, weight]) => [name, Math.round(weight * 1000) / 1000] as const);
  return Object.fromEntries(rounded.sort(([a], [b]) => (a < b ? -1 : 1)));
}
