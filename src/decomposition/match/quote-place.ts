/** Whether a quote speaks of what it is quoted for: one quote for everything, or a whole text, proves nothing. */
import type { QuoteCheck } from '../evidence.ts';
import { normalise, spellings } from './normalise.ts';
import { rememberLast } from './remember.ts';

/** A quote of more than this many sentences, or characters, is no place. */
const [MOST_SENTENCES, MOST_CHARACTERS] = [2, 700];

const LOOKS_BACK = /^ (?:it|its|they|their|them|this|these|that|those|such|he|she|his|her|both|each|here) /;

type Sentence = { readonly from: number; readonly to: number; readonly key: string };

/**
 * The check of a quote that stands in the text, held against the names of its concept: it must not be longer than about
 * two sentences, and the sentences it touches must speak of the concept, or the one before them where they refer back.
 */
export function placed(check: QuoteCheck, text: string, names: readonly string[]): QuoteCheck {
  if (check.state !== 'verified') return check;
  const [from, to] = check.at;
  const sentences = sentencesOf(text);
  const touched = sentences.filter((one) => one.from < to && one.to > from);
  if (touched.length > MOST_SENTENCES || to - from > MOST_CHARACTERS) return { state: 'too long' };
  const first = sentences.indexOf(touched[0] as Sentence);
  // What refers back is about the sentence before it.
  const begin = LOOKS_BACK.test(touched[0]?.key ?? '') ? Math.max(0, first - 1) : first;
  const near = sentences.slice(begin, first + touched.length).map(({ key }) => key);
  const speaks = names.flatMap(spellings).some((key) => near.some((sentence) => speaksOf(key, sentence)));
  return speaks ? check : { state: 'elsewhere' };
}

/** The name itself, or all the words of it that carry a meaning: `the store of blue carbon` speaks of a blue carbon store. */
function speaksOf(key: string, sentence: string): boolean {
  if (sentence.includes(` ${key} `)) return true;
  const words = key.split(' ').filter((word) => word.length >= SHORTEST_WORD);
  return words.length > 0 && words.every((word) => sentence.includes(` ${beginningOf(word)}`));
}

const [SHORTEST_WORD, SHORTEST_BEGINNING] = [4, 5];

/** `retreat` and `retreating` begin alike. */
function beginningOf(word: string): string {
  return word.slice(0, Math.max(SHORTEST_BEGINNING, word.length - 3));
}

let segmenter: Intl.Segmenter | undefined;

/** A full stop after an abbreviation ends no sentence: `Sims v. Reynolds`. */
const ABBREVIATED =
  // Both cases are spelled out: a class of all letters that ignores case takes milliseconds to compile.
  /(?:^|[\s(])(?:\p{L}{1,2}|\p{L}\.\p{L}|[Ee][Tt][Cc]|[Cc][Ff]|[Vv][Ss]|[Mm][Rr][Ss]|[Pp][Rr][Oo][Ff]|[Ff][Ii][Gg]|[Aa][Pp][Pp][Rr][Oo][Xx])\.\s*$/u;

const ofText = rememberLast(({ text }: { readonly text: string }): Sentence[] => {
  const parts: string[] = [];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  for (const { segment } of segmenter.segment(text)) {
    const before = parts.at(-1);
    if (before !== undefined && ABBREVIATED.test(before)) parts[parts.length - 1] = before + segment;
    else parts.push(segment);
  }
  let from = 0;
  return parts.map((part) => {
    const start = from;
    from += part.length;
    return { from: start, to: start + part.trimEnd().length, key: ` ${normalise(part)} ` };
  });
});

let last = { text: '' };

/** Sentences in their order, each spelled as names are. Quotes of one text come together. */
function sentencesOf(text: string): readonly Sentence[] {
  if (last.text !== text) last = { text };
  return ofText(last);
}
