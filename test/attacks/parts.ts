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
