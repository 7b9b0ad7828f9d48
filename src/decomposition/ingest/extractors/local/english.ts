import type { Analysis } from './analyse.ts';
import { ENGLISH_WORDS, FOREIGN_WORDS } from './words.ts';

/** With a lower share of the commonest English words a text is in another language, or no prose. */
const LOWEST = 0.15;
/** A sentence may do with fewer. */
const LOWEST_IN_SHORT = 0.08;
const SHORT = 40;
const TERSE = 20;
const NAMES = 8;

export function looksEnglish({ text, words }: Analysis): boolean {
  const letters = words.filter(({ lower }) => /^\p{L}/u.test(lower));
  const count = (list: ReadonlySet<string>) => letters.filter(({ lower }) => list.has(lower)).length;
  const english = count(ENGLISH_WORDS);
  // A terse sentence may have none of them, but it ends like one.
  if (letters.length < (isSentence(text) ? TERSE : NAMES) && letters.every(isPlain)) return true;
  if (english <= count(FOREIGN_WORDS)) return false;
  return english / letters.length >= (letters.length < SHORT ? LOWEST_IN_SHORT : LOWEST);
}

function isSentence(text: string): boolean {
  return /^\p{Lu}[^,;|]*[.!?]$/u.test(text.trim());
}

/** So few words may be all names; at least they are written like English ones. */
function isPlain({ lower }: { readonly lower: string }): boolean {
  return /^[a-z'’-]+$/.test(lower) && !FOREIGN_WORDS.has(lower);
}
