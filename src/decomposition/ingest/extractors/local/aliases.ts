import type { Analysis, Word } from './analyse.ts';

/** Two names of one thing, as places in the text. */
export type Naming = { readonly name: WordSpan; readonly alias: WordSpan };
export type WordSpan = { readonly at: number; readonly length: number };

/** "machine learning (ML)" and "the bullwhip effect, also called the Forrester effect". */
export function namingsOf(analysis: Analysis): readonly Naming[] {
  return [...acronyms(analysis), ...otherNames(analysis)];
}

const SKIPPED = new Set(['of', 'and', 'the', 'for', 'in', 'to', 'a', 'an', 'on', 'with']);

function acronyms({ words }: Analysis): Naming[] {
  return words.flatMap((word, at) => {
    const opens = words[at - 1];
    if (opens?.text !== '(' || words[at + 1]?.text !== ')' || word.sentence !== opens.sentence) return [];
    const letters = word.text
      .replace(/s$/, '')
      .replaceAll(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase();
    if (letters.length < 2 || letters.length > 8 || !/\p{Lu}.*\p{Lu}/u.test(word.text)) return [];
    const length = longFormLength(words, at - 2, letters, word.sentence);
    return length === 0 ? [] : [{ name: { at: at - 1 - length, length }, alias: { at, length: 1 } }];
  });
}

/** How many words up to `last` begin with the letters, link words left out; none when they do not. */
function longFormLength(words: readonly Word[], last: number, letters: string, sentence: number): number {
  let left = letters;
  let length = 0;
  while (left !== '') {
    const word = words[last - length];
    if (word === undefined || word.sentence !== sentence || word.pos === 'PUNCT' || length > 10) return 0;
    length++;
    if (SKIPPED.has(word.lower) && length > 1 && !left.endsWith(word.lower.charAt(0))) continue;
    const initials = word.lower
      .split(/[^\p{L}\p{N}]+/u)
      .map((part) => part.charAt(0))
      .join('');
    if (left.endsWith(initials)) left = left.slice(0, -initials.length);
    else if (left.endsWith(initials.charAt(0))) left = left.slice(0, -1);
    else if (!SKIPPED.has(word.lower) || length === 1) return 0;
  }
  return length;
}

const NAME_TAGS = new Set(['NOUN', 'PROPN', 'ADJ', 'X']);

/** The names on both sides of "also called", "also known as", "sometimes called". */
function otherNames({ words }: Analysis): Naming[] {
  return words.flatMap((word, at) => {
    const called = word.lower === 'called' || word.lower === 'termed';
    const known = word.lower === 'as' && words[at - 1]?.lower === 'known';
    const verb = known ? at - 1 : at;
    if (!(called || known) || !['also', 'sometimes', 'often'].includes(words[verb - 1]?.lower ?? ''))
      return [];
    let end = verb - 2;
    while (words[end]?.text === ',' || words[end]?.text === '(') end--;
    let start = at + 1;
    while (words[start]?.pos === 'DET') start++;
    const name = run(words, end, -1, word.sentence);
    const alias = run(words, start, 1, word.sentence);
    if (name === 0 || alias === 0) return [];
    return [{ name: { at: end - name + 1, length: name }, alias: { at: start, length: alias } }];
  });
}

/** How many words from here on, in this direction, belong to one name. */
function run(words: readonly Word[], from: number, step: 1 | -1, sentence: number): number {
  let length = 0;
  while (length < 4) {
    const word = words[from + length * step];
    if (word === undefined || word.sentence !== sentence || !NAME_TAGS.has(word.pos)) break;
    length++;
  }
  return length;
}
