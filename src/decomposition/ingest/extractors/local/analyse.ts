import model from 'wink-eng-lite-web-model';
import winkNLP, { type ItemSentence, type ItemToken, type ItsFunction } from 'wink-nlp';
import { isNameAfterTo, isVerbByForm, isVerbInChain, isVerbOfClause } from './finite.ts';
import { proseOf, type TextBlock } from './prose.ts';

/** One word of the text. `from` and `to` are its place in the text; a hyphenated compound is one word. */
export type Word = {
  readonly text: string;
  readonly lower: string;
  readonly lemma: string;
  /** The stems of its parts: `multi-agent` and `multi agent` have the same. */
  readonly stem: string;
  readonly pos: string;
  readonly from: number;
  readonly to: number;
  readonly sentence: number;
  /** It is the verb of its clause, whatever its tag says. */
  readonly finite: boolean;
};

/** Places in the text, and the words `first` to `end` (exclusive). */
export type Sentence = {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly end: number;
};

export type Analysis = {
  readonly text: string;
  /** The text with what is no prose blanked; of the same length. */
  readonly readable: string;
  readonly words: readonly Word[];
  readonly sentences: readonly Sentence[];
};

type Open = { -readonly [K in keyof Word]: Word[K] };

type Language = ReturnType<typeof winkNLP>;

let loaded: Language | undefined;

/** The language model is read once, when the first text comes. */
function loadLanguage(): Language {
  loaded ??= winkNLP(model, ['sbd', 'pos']);
  return loaded;
}

/** Words with their part of speech and place, and sentences. */
export function analyse(text: string): Analysis {
  const nlp = loadLanguage();
  const { readable, blocks } = proseOf(text);
  const words: Open[] = [];
  const sentences: Sentence[] = [];
  for (const { from, to } of blocks.flatMap((block) => sentenceSpans(nlp, readable, block))) {
    const first = words.length;
    tag(nlp, readable.slice(from, to), from, sentences.length, words);
    joinHyphens(words, first, readable);
    markVerbs(words, first);
    const begin = words[first];
    const last = words.at(-1);
    if (begin !== undefined && last !== undefined) {
      sentences.push({ from: begin.from, to: last.to, first, end: words.length });
    }
  }
  return { text, readable, words, sentences };
}

function markVerbs(words: Open[], first: number): void {
  let lastHelped = Number.NEGATIVE_INFINITY;
  let lastFinite = Number.NEGATIVE_INFINITY;
  for (let i = first + 1; i < words.length; i++) {
    const word = words[i] as Open;
    const before = words[i - 1];
    if (isNameAfterTo(word, before, words[i - 2])) word.pos = 'NOUN';
    const helped =
      isVerbByForm(word, before, words[i - 2]) ||
      isVerbInChain(word, before, { helped: i - lastHelped, finite: i - lastFinite });
    if (helped) lastHelped = i;
    word.finite = helped || isVerbOfClause(word, [words[i - 2], before], words[i + 1]);
    if (!word.finite) continue;
    word.pos = 'VERB';
    lastFinite = i;
  }
}

function sentenceSpans(nlp: Language, readable: string, block: TextBlock): TextBlock[] {
  const text = readable.slice(block.from, block.to);
  const spans: TextBlock[] = [];
  let cursor = 0;
  if (text.trim() === '') return spans;
  nlp
    .readDoc(text)
    .sentences()
    .each((sentence: ItemSentence) => {
      const value = sentence.out().trim();
      const from = text.indexOf(value, cursor);
      if (value === '' || from === -1) return;
      cursor = from + value.length;
      spans.push({ from: block.from + from, to: block.from + cursor });
    });
  return spans;
}

/** The tagger takes any capital for a name, so the capital that begins a sentence is hidden from it. */
function tag(nlp: Language, sentence: string, offset: number, index: number, words: Open[]): void {
  const { its } = nlp;
  const plain = /^\p{Lu}\p{Ll}+(?![\p{L}\p{N}])/u.test(sentence)
    ? sentence.charAt(0).toLowerCase() + sentence.slice(1)
    : sentence;
  const source = plain.length === sentence.length ? plain : sentence;
  let cursor = 0;
  nlp
    .readDoc(source)
    .tokens()
    .each((token: ItemToken) => {
      const value = token.out();
      const from = source.indexOf(value, cursor);
      if (from === -1 || value.trim() === '') return;
      cursor = from + value.length;
      const text = sentence.slice(from, cursor);
      words.push({
        text,
        lower: text.toLowerCase(),
        lemma: read(token, its.lemma),
        stem: read(token, its.stem).replaceAll('-', ' '),
        pos: read(token, its.pos),
        from: offset + from,
        to: offset + cursor,
        sentence: index,
        finite: false,
      });
    });
}

/** The package's own types do not accept its own readers of a lemma or stem. */
function read(token: ItemToken, reader: unknown): string {
  return String(token.out(reader as ItsFunction<string>));
}

/** `cold`, `-`, `water` without spaces between them become `cold-water`, with the part of speech of the last part. */
function joinHyphens(words: Open[], first: number, text: string): void {
  let kept = first;
  for (let i = first; i < words.length; i++) {
    const word = words[i] as Open;
    const before = words[kept - 1];
    const next = words[i + 1];
    const joins =
      /^[-‐‑/]$/.test(word.text) &&
      kept > first &&
      before !== undefined &&
      next !== undefined &&
      before.to === word.from &&
      word.to === next.from &&
      /^[\p{L}\p{N}]/u.test(next.text) &&
      /[\p{L}\p{N}]$/u.test(before.text);
    if (joins) {
      const joined = text.slice(before.from, next.to);
      words[kept - 1] = {
        ...next,
        text: joined,
        lower: joined.toLowerCase(),
        lemma: `${before.lower}${word.text}${next.lemma}`,
        stem: `${before.stem} ${next.stem}`,
        from: before.from,
      };
      i++;
    } else words[kept++] = word;
  }
  words.length = kept;
}
