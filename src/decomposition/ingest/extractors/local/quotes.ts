import type { Analysis, Sentence } from './analyse.ts';

const LONGEST = 1_000;
const AROUND = 30;

/** The sentence of a word, as it stands in the text; of a sentence without end, the words around it. */
export function quoteAt({ text, words, sentences }: Analysis, at: number): string {
  const sentence = sentences[words[at]?.sentence ?? -1] as Sentence;
  if (sentence.to - sentence.from <= LONGEST) return text.slice(sentence.from, sentence.to);
  const from = words[Math.max(sentence.first, at - AROUND)]?.from ?? sentence.from;
  const to = words[Math.min(sentence.end - 1, at + AROUND)]?.to ?? sentence.to;
  return text.slice(from, Math.min(to, from + LONGEST));
}
