/** Which sessions are held out together. */
import { random } from '../../stats/random.ts';
import { shuffled } from './sample-for-rating.ts';

type Fold = {
  /** The held-out sources, or its number. */
  readonly name: string;
  /** Indexes of the held-out sessions, ascending. */
  readonly heldOut: readonly number[];
};

export type Folds = {
  readonly method: 'leave one source out' | 'leave some sources out' | 'k-fold';
  readonly folds: readonly Fold[];
};

/** With fewer sources, leaving one out says little about the next. */
const MIN_SOURCES = 3;

/** A source with fewer sessions is too small for comparisons within it; such sources form one group. */
export const MIN_PER_SOURCE = 10;

/**
 * Holds out whole sources where at least three are large enough. Sessions of one source resemble each other, so weights
 * look better when tested on a source they were fitted on. With more sources than `most`, several are held out at a
 * time. Otherwise a seeded k-fold.
 */
export function foldsOf(sources: readonly string[], most: number, k: number, seed: number): Folds {
  const names = [...new Set(sources)].sort();
  const counts = new Map(names.map((name) => [name, sources.filter((source) => source === name).length]));
  const sizeable = names.filter((name) => (counts.get(name) ?? 0) >= MIN_PER_SOURCE);
  if (sizeable.length < MIN_SOURCES) return { method: 'k-fold', folds: kFolds(sources.length, k, seed) };
  // The largest source first, each into the smallest fold.
  const bins = Array.from({ length: Math.min(most, names.length) }, () => ({ names: [] as string[], n: 0 }));
  const size = (name: string) => counts.get(name) ?? 0;
  for (const name of names.toSorted((a, b) => size(b) - size(a) || (a < b ? -1 : 1))) {
    const emptiest = bins.reduce((least, bin) => (bin.n < least.n ? bin : least));
    emptiest.names.push(name);
    emptiest.n += size(name);
  }
  const folds = bins.map((bin) => ({
    name: bin.names.join(', '),
    heldOut: places(sources, (source) => bin.names.includes(source)),
  }));
  folds.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    method: names.length <= most ? 'leave one source out' : 'leave some sources out',
    folds,
  };
}

function kFolds(n: number, k: number, seed: number): Fold[] {
  const order = shuffled(
    Array.from({ length: n }, (_, place) => place),
    random(seed),
  );
  const count = Math.min(k, n);
  return Array.from({ length: count }, (_, fold) => ({
    name: `fold ${fold + 1}`,
    heldOut: order.filter((_, i) => i % count === fold).sort((a, b) => a - b),
  }));
}

function places<T>(items: readonly T[], keep: (item: T) => boolean): number[] {
  return items.flatMap((item, place) => (keep(item) ? [place] : []));
}

/** The source of each session, small ones combined: sessions are compared within these groups. */
export function groupsOf(sources: readonly string[]): string[] {
  const counts = Map.groupBy(sources, (source) => source);
  return sources.map((source) =>
    (counts.get(source)?.length ?? 0) >= MIN_PER_SOURCE ? source : 'other sources',
  );
}
