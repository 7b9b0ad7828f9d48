import type { Analysis } from './analyse.ts';
import type { Occurrence } from './candidates.ts';

/** A place where a concept is named; `concept` is its index. */
export type Mention = Occurrence & { readonly concept: number };

/** Where concepts are named, in the order of the text; where names overlap, the longer one counts. */
export function mentionsOf(places: readonly (readonly Occurrence[])[]): readonly Mention[] {
  const all = places.flatMap((occurrences, concept) => occurrences.map((one) => ({ ...one, concept })));
  all.sort((a, b) => b.length - a.length || a.at - b.at);
  const used = new Set<number>();
  const kept = all.filter(({ at, length }) => {
    const own = Array.from({ length }, (_, i) => at + i);
    if (own.some((index) => used.has(index))) return false;
    for (const index of own) used.add(index);
    return true;
  });
  return kept.sort((a, b) => a.at - b.at);
}

/** All places of a phrase, given as stems. */
export function placesOf({ words }: Analysis, key: string): readonly Occurrence[] {
  const found: Occurrence[] = [];
  for (let at = 0; at < words.length; at++) {
    let joined = words[at]?.stem ?? '';
    let length = 1;
    while (joined.length < key.length && at + length < words.length) {
      joined += ` ${words[at + length]?.stem}`;
      length++;
    }
    if (joined === key) found.push({ at, length });
  }
  return found;
}
