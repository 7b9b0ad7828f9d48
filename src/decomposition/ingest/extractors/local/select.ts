import type { Occurrence } from './candidates.ts';
import { logOdds } from './linear.ts';
import type { Ranked } from './rank.ts';

export type Chosen = Ranked & { readonly odds: number };

const MOST = 25;
const FEWEST = 5;
/** A longer name is taken instead of its part up to this much lower. */
const PREFER_LONGER = 1.5;
const CONSIDERED = 300;
/** Less likely than one in thirty: not even a short text is about it. */
const LEAST_ODDS = -3.4;
const ABSTRACT = 150;
const ARTICLE = 400;

/** A text of four times the words has twice the concepts, and none has more than a reader can hold. */
export function conceptLimit(wordCount: number): number {
  return Math.min(MOST, Math.max(FEWEST, Math.round(1.2 * Math.sqrt(wordCount))));
}

/** 0 for a text as short as an abstract, 1 for one in which the use of a phrase shows whether it is central. */
export function lengthShare(wordCount: number): number {
  return Math.min(1, Math.max(0, (wordCount - ABSTRACT) / (ARTICLE - ABSTRACT)));
}

/** The central concepts, best first, without mere pieces of one another. Two names of one thing (`mainOf`) count as one. */
export function chooseConcepts(
  ranked: readonly Ranked[],
  central: ReadonlyMap<string, number>,
  wordCount: number,
  mainOf: (key: string) => string = (key) => key,
): readonly Chosen[] {
  const limit = conceptLimit(wordCount);
  const share = lengthShare(wordCount);
  const scored = ranked
    .map((one) => ({ ...one, odds: share * logOdds(central, one.salience) + (1 - share) * one.plausible }))
    .sort((a, b) => b.odds - a.odds || (a.key < b.key ? -1 : 1))
    .slice(0, CONSIDERED);
  let chosen: Chosen[] = [];
  for (const next of scored) {
    const things = new Set(chosen.map(({ key }) => mainOf(key))).size;
    if (things >= limit || next.odds < LEAST_ODDS) break;
    const pieces = chosen.filter((one) => isPiece(one, [next]));
    const replaced = pieces.find(
      (one) => one.occurrences.length === next.occurrences.length && next.odds > one.odds - PREFER_LONGER,
    );
    if (replaced !== undefined) {
      chosen = chosen.flatMap((one) => (one === replaced ? [next] : pieces.includes(one) ? [] : [one]));
    } else if (pieces.length === 0 && !isPiece(next, chosen)) chosen.push(next);
  }
  return chosen;
}

/** Whether every place of a phrase lies inside a longer one of the others. */
function isPiece(phrase: Ranked, others: readonly Ranked[]): boolean {
  const covered = new Map<number, Occurrence>();
  for (const { key, occurrences } of others) {
    if (key === phrase.key) continue;
    for (const one of occurrences) {
      for (let at = one.at; at < one.at + one.length; at++) {
        if ((covered.get(at)?.length ?? 0) < one.length) covered.set(at, one);
      }
    }
  }
  return phrase.occurrences.every(({ at, length }) => {
    const around = covered.get(at);
    return around !== undefined && around.length > length && around.at + around.length >= at + length;
  });
}
