import type { z } from 'zod';
import type { QuoteCheck, TrialEvidence } from '../../decomposition/evidence.ts';
import type { CaseText, ReadCase } from '../../decomposition/results.ts';
import type { decompositionCaseStory } from '../schema/decomposition-case-story.ts';
import { encodeCase } from './run.ts';

type Wire = z.infer<typeof decompositionCaseStory>;
type TrialWire = Wire['trials'][number];

export function encodeCaseStory({ validity, subject, names, judged, evidence, text }: ReadCase): Wire {
  return {
    format: 'assay-decomposition-case-story',
    version: 1,
    run: {
      id: validity.runId,
      at: validity.at,
      subject,
      truth_hash: validity.truthHash ?? null,
      prompt: names?.prompt ?? null,
      model: names?.model ?? null,
    },
    case: { ...encodeCase(judged), failed: judged.failed === true },
    text: text.state === 'absent' ? { state: 'absent', why: text.why } : encodeText(text),
    trials: (evidence?.trials ?? []).map(encodeTrial),
  };
}

function encodeText(text: Extract<CaseText, { state: 'here' }>): Wire['text'] {
  const { topic, domain, citation, asMeasured } = text;
  return {
    state: 'here',
    topic,
    domain,
    text: text.text,
    citation: citation ?? null,
    as_measured: asMeasured,
  };
}

function encodeTrial(trial: TrialEvidence): TrialWire {
  const { failed, latencyMs, costUsd } = trial;
  return {
    error: failed,
    latency_ms: latencyMs,
    cost_usd: costUsd,
    concepts: trial.concepts.map(({ label, match, canary, confidence, flaw, quote }) => ({
      label,
      ...match,
      ...(canary !== undefined && { canary }),
      ...(confidence !== undefined && { confidence }),
      ...(flaw !== undefined && { flaw }),
      quote: encodeQuote(quote),
    })),
    missed: trial.expected.flatMap(({ label, required, found }) => (found ? [] : [{ label, required }])),
    relationships: edgesOf(trial),
  };
}

function encodeQuote(quote: QuoteCheck): TrialWire['concepts'][number]['quote'] {
  return quote.state === 'verified'
    ? { state: quote.state, from: quote.at[0], to: quote.at[1] }
    : { state: quote.state };
}

/**
 * In one graph an extracted concept stands where the expected one does that it was recognised as; an end that was never
 * extracted as a concept stands where it is spelt like an expected one.
 */
function edgesOf({
  concepts,
  expected,
  relationships,
  expectedRelationships,
}: TrialEvidence): TrialWire['relationships'] {
  const known = new Map([
    ...expected.map(({ label }) => [spelling(label), label] as const),
    ...concepts.flatMap(({ label, match }) => (match ? [[spelling(label), match.expected] as const] : [])),
  ]);
  const nodeOf = (label: string) => known.get(spelling(label)) ?? label;
  return [
    ...relationships.map(({ source, target, predicate, correct, forbidden, duplicate, flaw }) => ({
      source,
      target,
      predicate,
      state:
        correct !== undefined ? ('right' as const) : forbidden ? ('forbidden' as const) : ('wrong' as const),
      from: nodeOf(source),
      to: nodeOf(target),
      ...(duplicate && { duplicate }),
      ...(flaw !== undefined && { flaw }),
    })),
    ...expectedRelationships
      .filter(({ found }) => found === undefined)
      .map(({ source, target, predicate, required }) => ({
        source,
        target,
        predicate,
        state: 'missing' as const,
        from: source,
        to: target,
        required,
      })),
  ];
}

function spelling(label: string): string {
  return label
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
