import type { Analysis, Word } from './analyse.ts';
import { STOP_WORDS } from './words.ts';

/** One place where a phrase stands: words `at` to `at + length`. */
export type Occurrence = { readonly at: number; readonly length: number };

/** A phrase that could name a concept, with all its places. `key` is its stems: inflected forms are one phrase. */
export type PhraseCandidate = { readonly key: string; readonly occurrences: readonly Occurrence[] };

const LONGEST = 5;
const EDGE = new Set(['NOUN', 'PROPN', 'ADJ', 'VERB', 'NUM', 'X', 'ADV']);
const HEAD = new Set(['NOUN', 'PROPN', 'VERB', 'ADJ', 'X', 'NUM']);
const LINKS = new Set(['of', 'for', 'in', 'and']);

/** Every run of up to five words inside a clause that begins and ends like a name for something. */
export function candidatesOf({ words, sentences }: Analysis): readonly PhraseCandidate[] {
  const found = new Map<string, Occurrence[]>();
  for (const { first, end } of sentences) {
    for (let at = first; at < end; at++) {
      if (!opens(words[at])) continue;
      const stems: string[] = [];
      for (let length = 1; length <= LONGEST && at + length <= end; length++) {
        const word = words[at + length - 1] as Word;
        if (!continues(word)) break;
        stems.push(word.stem);
        if (!closes(word)) continue;
        const key = stems.join(' ');
        const places = found.get(key);
        if (places === undefined) found.set(key, [{ at, length }]);
        else places.push({ at, length });
      }
    }
  }
  return [...found].map(([key, occurrences]) => ({ key, occurrences }));
}

function isContent({ lower }: Word): boolean {
  return /\p{L}/u.test(lower) && !STOP_WORDS.has(lower);
}

function opens(word: Word | undefined): boolean {
  return (
    word !== undefined &&
    !word.finite &&
    EDGE.has(word.pos) &&
    (isContent(word) || /^\p{N}/u.test(word.lower))
  );
}

function closes(word: Word): boolean {
  return HEAD.has(word.pos) && isContent(word) && word.lower.length > 1;
}

function continues(word: Word): boolean {
  return opens(word) || LINKS.has(word.lower) || word.lower === "'s" || word.lower === '’s';
}
