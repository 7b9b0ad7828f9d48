/** How often the local extractor takes a denied relationship for a stated one, and how often it finds a stated one. */
import { analyse } from '../../../src/decomposition/ingest/extractors/local/analyse.ts';
import { extractLocally } from '../../../src/decomposition/ingest/extractors/local/local.ts';
import type { Model } from '../../../src/decomposition/ingest/extractors/local/model.ts';
import type { Sentence } from './sentences.ts';

export type Edge = { readonly source: string; readonly predicate: string; readonly target: string };

export type Read = {
  readonly sentence: Sentence;
  /** Relationships that the sentence does not state. */
  readonly wrong: readonly Edge[];
  /** Of a sentence that states one: it was found, with its predicate and direction. */
  readonly found: boolean;
};

/** Each sentence is extracted as a text of its own. */
export function readDenial(sentences: readonly Sentence[], model: Model): readonly Read[] {
  return sentences.map((sentence) => {
    const edges = extractLocally(sentence.text, model).relationships;
    const stated = sentences.filter(({ kind, text }) => kind === 'stated' && text === sentence.text);
    const isStated = (edge: Edge) => stated.some((one) => isSame(edge, one));
    return {
      sentence,
      wrong: edges.filter((edge) => !isStated(edge) && isWrong(edge, sentence)),
      found: edges.some((edge) => isSame(edge, sentence)),
    };
  });
}

/** Any tie between the two that the sentence unties, and any definite claim about others. */
function isWrong(edge: Edge, sentence: Sentence): boolean {
  if (edge.predicate === 'RELATES_TO') {
    return (sentence.kind === 'negated' || sentence.kind === 'doubted') && isBetween(edge, sentence);
  }
  // What lessens a thing may well cause "a fall" or "the loss of" it.
  const ofLess = names(edge.source, sentence.source) && !stems(sentence.target).includes(stems(edge.target));
  return sentence.kind !== 'lessened' || !ofLess;
}

function isSame(edge: Edge, { source, predicate, target }: Edge): boolean {
  return edge.predicate === predicate && names(edge.source, source) && names(edge.target, target);
}

function isBetween(edge: Edge, { source, target }: Edge): boolean {
  return (
    (names(edge.source, source) && names(edge.target, target)) ||
    (names(edge.source, target) && names(edge.target, source))
  );
}

/** One holds the other, inflected or not: "brain tumours" is named by "tumour". */
function names(a: string, b: string): boolean {
  const [first, second] = [stems(a), stems(b)];
  return first.includes(second) || second.includes(first);
}

function stems(phrase: string): string {
  return ` ${analyse(phrase)
    .words.map(({ stem }) => stem)
    .join(' ')} `;
}
