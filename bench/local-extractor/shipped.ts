import {
  paragraphHashes,
  type Weights,
  type WithoutCase,
} from '../../src/decomposition/ingest/extractors/local/model.ts';
import { type Base, learnCentral, learnRelations, type Marked, type Prepared, type Table } from './learn.ts';

/** What the product ships, learnt from everything that is there to learn from. */
export function shippedWeights(base: Base, cases: readonly Prepared[], marked: readonly Marked[]): Weights {
  const learntFrom = cases.flatMap(({ golden: { id, sourceText } }) =>
    paragraphHashes(sourceText).map((hash) => [hash, id] as const),
  );
  return {
    abstracts: plain(base.abstracts),
    everyday: plain(base.everyday),
    phrase: plain(base.phrase),
    ...learnt(cases, marked),
    learntFrom: Object.fromEntries(learntFrom),
  };
}

type Learnt = Pick<Weights, 'central' | 'relations'>;

function learnt(cases: readonly Prepared[], marked: readonly Marked[]): Learnt {
  const relations = learnRelations(cases, marked);
  return {
    central: plain(learnCentral(cases)),
    relations: Object.fromEntries([...relations].map(([claim, table]) => [claim, plain(table)])),
  };
}

/** By case: what the product ships to read the text of that case with. */
export function weightsWithoutEach(
  weights: Weights,
  cases: readonly Prepared[],
  marked: readonly Marked[],
): Readonly<Record<string, WithoutCase>> {
  const each = cases.map((left) => {
    const others = cases.filter((one) => one !== left);
    return [left.golden.id, stepsBetween(weights, learnt(others, marked))] as const;
  });
  return Object.fromEntries(each);
}

/** The differences that the product puts back. */
function stepsBetween(weights: Weights, { central, relations }: Learnt): WithoutCase {
  const tables = Object.entries(weights.relations).map(([claim, table]) => {
    const other = relations[claim] ?? {};
    const steps = Object.entries(table).map(([name, weight]) =>
      Math.round(100 * ((other[name] ?? 0) - weight)),
    );
    const more = Object.entries(other).filter(([name]) => !Object.hasOwn(table, name));
    return [claim, { steps: steps.join(' '), more: Object.fromEntries(more) }] as const;
  });
  return { central, relations: Object.fromEntries(tables) };
}

/** Three digits are enough; sorted, so that a change shows as one. */
function plain(table: Table): Record<string, number> {
  const rounded = [...table].map(([name, weight]) => [name, Math.round(weight * 1000) / 1000] as const);
  return Object.fromEntries(rounded.sort(([a], [b]) => (a < b ? -1 : 1)));
}
