import { normalise } from '../match/normalise.ts';

/** `second` repeats `first`; `share` is the part of the shorter text's word runs that the other one contains. */
type Likeness = { readonly first: number; readonly second: number; readonly share: number };

/** Length of a word run that two independent texts on one subject hardly ever share. */
const RUN_OF_WORDS = 5;

/** From this share on, one case adds little to the other. */
const NEARLY_THE_SAME = 0.5;

/**
 * Texts that are the same as an earlier one, or nearly so. Each duplicate is compared with the original, not with other
 * duplicates.
 */
export function findSameTexts(texts: readonly string[]): Likeness[] {
  const originals = new Map<string, number[]>();
  const sizes: number[] = [];
  return texts.flatMap((text, second) => {
    const runs = runsOf(text);
    sizes.push(runs.size);
    const shared = new Map<number, number>();
    for (const run of runs) {
      for (const first of originals.get(run) ?? []) shared.set(first, (shared.get(first) ?? 0) + 1);
    }
    const [likest] = [...shared]
      .map(([first, count]) => ({ first, second, share: count / Math.min(runs.size, sizes[first] ?? 1) }))
      .sort((a, b) => b.share - a.share);
    if (likest !== undefined && likest.share >= NEARLY_THE_SAME) return [likest];
    for (const run of runs) originals.set(run, [...(originals.get(run) ?? []), second]);
    return [];
  });
}

function runsOf(text: string): Set<string> {
  const words = normalise(text).split(' ');
  // A text shorter than one run is compared as a whole.
  const count = Math.max(1, words.length - RUN_OF_WORDS + 1);
  return new Set(Array.from({ length: count }, (_, i) => words.slice(i, i + RUN_OF_WORDS).join(' ')));
}
