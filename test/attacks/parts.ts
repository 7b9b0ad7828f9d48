/** What attacks are made of. */
import type { GoldenCase } from '../../src/decomposition/ingest/golden-case.ts';
import { normalise } from '../../src/decomposition/match/normalise.ts';

export type Gold = GoldenCase;

export type MadeConcept = {
  readonly label: string;
  readonly aliases?: readonly string[];
  readonly sourceQuote?: string | undefined;
};

export type Made = {
  readonly concepts: readonly MadeConcept[];
  readonly relationships: readonly {
    readonly source: string;
    readonly target: string;
    readonly predicate: string;
  }[];
};

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

export function sentencesOf({ sourceText }: Pick<Gold, 'sourceText'>): string[] {
  return Array.from(segmenter.segment(sourceText), ({ segment }) => segment.trim()).filter(
    (one) => one.length > 20,
  );
}

/** Everything that the case expects, each concept with the first sentence that names it. */
export function whole(golden: Gold): Made {
  const sentences = sentencesOf(golden).map((sentence) => ({ sentence, key: ` ${normalise(sentence)} ` }));
  const quoteOf = (names: readonly string[]) =>
    names
      .map((name) => sentences.find(({ key }) => key.includes(` ${normalise(name)} `))?.sentence)
      .find((one) => one !== undefined) ?? sentences[0]?.sentence;
  return {
    concepts: golden.expectedConcepts.map(({ label, aliases }) => ({
      label,
      sourceQuote: quoteOf([label, ...aliases]),
    })),
    relationships: golden.expectedRelationships.map(({ source, target, predicate }) => ({
      source,
      target,
      predicate,
    })),
  };
}

/** The same text for the same relationship. */
export function canonicalEdges(edges: Made['relationships']): string[] {
  return edges.map(({ source, target, predicate }) =>
    JSON.stringify([
      predicate,
      ...(predicate === 'RELATES_TO' ? [source, target].toSorted() : [source, target]),
    ]),
  );
}

/** The same numbers for the same seed. */
export function random(seed: string): () => number {
  let state = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Other letters: by 13 places in the alphabet. */
export function shifted(letter: string): string {
  const at = letter.toLowerCase().charCodeAt(0) - 97;
  return at < 0 || at > 25 ? letter : String.fromCharCode(97 + ((at + 13) % 26));
}

const inRange = (first: number) => (label: string) =>
  label.toLowerCase().replace(/[a-z]/g, (letter) => String.fromCodePoint(first + letter.charCodeAt(0) - 97));

export const inBold = inRange(0x1d41a);
export const inFullWidth = inRange(0xff41);

export function accented(label: string): string {
  return label.replace(/[aeiou]/g, '$&\u0301').normalize('NFC');
}

export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The other marks that a word processor or a model writes. */
export function typeset(quote: string): string {
  return quote
    .replace(/['’"“”]/g, (mark) => ({ "'": '’', '’': "'", '"': '“', '“': '"', '”': '"' })[mark] ?? mark)
    .replace(/(?<=\p{L})-(?=\p{L})/gu, '\u2011')
    .replace(/ (?=\d)/g, '\u202f');
}

const SPELLINGS: readonly (readonly [
  british: RegExp,
  american: RegExp,
  british: string,
  american: string,
])[] = [
  [/isation/g, /ization/g, 'isation', 'ization'],
  [/ising\b/g, /izing\b/g, 'ising', 'izing'],
  [/\b(col|harb|lab|vap|behavi)our/g, /\b(col|harb|lab|vap|behavi)or/g, '$1our', '$1or'],
  [/\b(cent|fib|lit)re\b/g, /\b(cent|fib|lit)er\b/g, '$1re', '$1er'],
  [/programme\b/g, /program\b/g, 'programme', 'program'],
  [/ modelling/g, / modeling/g, ' modelling', ' modeling'],
  [/sulph/g, /sulf/g, 'sulph', 'sulf'],
  [/\bgrey/g, /\bgray/g, 'grey', 'gray'],
  [/defence/g, /defense/g, 'defence', 'defense'],
];

export function respelt(label: string, as: 'british' | 'american'): string {
  return SPELLINGS.reduce(
    (text, [british, american, toBritish, toAmerican]) =>
      as === 'british' ? text.replace(american, toBritish) : text.replace(british, toAmerican),
    label,
  );
}
