import type { Extractor } from '../../extractor.ts';
import type { ExtractionOutput } from '../../output.ts';
import { analyse } from './analyse.ts';
import { type Concept, conceptsOf, lengthShare, mentionsOf } from './concepts.ts';
import { caseLearntFrom, type Model, modelOf, type WithoutCase, weightsWithout } from './model.ts';
import { relate } from './relations/relate.ts';
import weights from './weights.json' with { type: 'json' };
import { looksEnglish, quoteAt } from './words.ts';

/** Changes with the code and the weights: results of two versions are separate series. */
export const LOCAL_VERSION = '1.3';

/** About ten thousand words. The rest is not read, and the result says so. */
export const LONGEST_TEXT = 60_000;

/** At this threshold, more than half of the relations are right on unseen texts. */
const SURE_ENOUGH = 0.35;

export type LocalOptions = {
  /** Minimum probability of relations; lower than the default only for drafts that users correct. */
  readonly sureEnough?: number;
};

/**
 * The built-in extractor: offline, deterministic, English only. A text from the training data is read with weights
 * trained without it, so that results on the shipped suite are no better than on a new text.
 */
export function localExtractor({ sureEnough = SURE_ENOUGH }: LocalOptions = {}): Extractor {
  const model = modelOf(weights);
  const others = new Map<string, Promise<Model>>();
  const modelFor = (text: string): Model | Promise<Model> => {
    const id = caseLearntFrom(text, weights);
    if (id === undefined) return model;
    const known = others.get(id) ?? modelWithout(id);
    others.set(id, known);
    return known;
  };
  return {
    name: 'local',
    extract: async ({ text }, signal) => {
      signal.throwIfAborted();
      return extractLocally(text, await modelFor(text), sureEnough);
    },
    explainNothing: ({ text }) => explainNothing(text),
  };
}

async function modelWithout(id: string): Promise<Model> {
  const { default: cases } = await import('./weights-without.json', { with: { type: 'json' } });
  const known = (cases as Readonly<Record<string, WithoutCase>>)[id];
  if (known === undefined) throw new Error(`weights-without.json has no weights without ${id}`);
  return modelOf(weightsWithout(weights, known));
}

function explainNothing(text: string): string {
  const analysis = analyse(text.slice(0, LONGEST_TEXT));
  if (analysis.words.length === 0) return 'it has no words';
  if (!looksEnglish(analysis))
    return 'it does not look like English prose, and the local extractor reads no other';
  return 'none of its phrases looks like the name of a concept';
}

/** Concepts and relationships of a text; empty for a text that is not English prose. */
export function extractLocally(text: string, model: Model, sureEnough = SURE_ENOUGH): ExtractionOutput {
  const analysis = analyse(text.slice(0, LONGEST_TEXT));
  const concepts = looksEnglish(analysis) ? conceptsOf(analysis, model) : [];
  const mentions = mentionsOf(concepts.map(({ places }) => places));
  // In a short text, every concept with a relation counts.
  const share = lengthShare(analysis.words.length);
  const trust = concepts.map(({ confidence }) => 1 - share * (1 - confidence));
  const labelOf = (index: number): string => (concepts[index] as Concept).label;
  const cut = text.length > LONGEST_TEXT ? `, first ${LONGEST_TEXT} of ${text.length} characters` : '';
  return {
    concepts: concepts.map(({ label, aliases, at, confidence }) => ({
      label,
      ...(aliases.length > 0 ? { aliases: [...aliases] } : {}),
      sourceQuote: quoteAt(analysis, at),
      confidence: round(confidence),
    })),
    relationships: relate(analysis, mentions, trust, model, sureEnough).map((relation) => ({
      source: labelOf(relation.source),
      target: labelOf(relation.target),
      predicate: relation.claim.predicate,
      confidence: round(relation.probability),
      sourceQuote: quoteAt(analysis, relation.at),
    })),
    model: `local ${LOCAL_VERSION}${cut}`,
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
