import { distance } from 'fastest-levenshtein';

/** The most likely intended word: at most a third of its letters differ. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const nearest = known
    .map((candidate) => ({ candidate, far: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)[0];
  if (nearest === undefined) return undefined;
  return nearest.far <= Math.max(1, Math.floor(nearest.candidate.length / 3)) ? nearest.candidate : undefined;
}

/** `; did you mean "--store"?`, or nothing; `before` is the prefix of the word on the command line. */
export function didYouMean(word: string, known: readonly string[], before = ''): string {
  const meant = suggest(word, known);
  return meant === undefined ? '' : `; did you mean "${before}${meant}"?`;
}
