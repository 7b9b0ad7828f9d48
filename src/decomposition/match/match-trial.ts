import {
  type ExpectedConcept,
  type ExtractedConcept,
  isStricter,
  type MatchLevel,
  type TrialEvidence,
} from '../evidence.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import { isMentioned } from '../investigate/text-index.ts';
import { acronymTier } from './acronym.ts';
import { type ConceptResolution, matchConcepts } from './match-concepts.ts';
import { matchFields } from './match-fields.ts';
import { matchRelationships } from './match-relationships.ts';
import { type PreparedCase, prepareCase } from './prepare-case.ts';
import type { SemanticModel } from './semantic/load.ts';
import { semanticTier } from './semantic/semantic-tier.ts';
import { placed, verifyQuote } from './verify-quote.ts';

export async function matchTrial(
  golden: GoldenCase,
  output: ExtractionOutput,
  semantic?: SemanticModel,
): Promise<TrialEvidence> {
  const prepared = prepareCase(golden);
  const { concepts } = output;
  const resolved = await matchConcepts(concepts, prepared, [
    acronymTier(concepts, golden),
    ...(semantic === undefined ? [] : [semanticTier(concepts, golden, semantic)]),
  ]);
  const { latencyMs, costUsd, model, promptVersion, promptSha256, withoutQuotes } = output;
  const fields = matchFields(golden, output, prepared.text);
  return {
    concepts: concepts.map(
      ({ label, sourceQuote, confidence, flaw }, row): ExtractedConcept => ({
        label,
        quote: placed(verifyQuote(sourceQuote, prepared.text, label), golden.sourceText, [
          label,
          ...(prepared.namesOf.get(resolved[row]?.match?.expected ?? '') ?? []),
        ]),
        ...resolved[row],
        ...(!isMentioned(prepared.index(), label) && { unmentioned: true as const }),
        ...(confidence !== undefined && { confidence }),
        ...(flaw !== undefined && { flaw }),
      }),
    ),
    expected: expectedOf(prepared, resolved),
    ...matchRelationships(output, resolved, prepared),
    ...(fields !== undefined && { fields }),
    ...(latencyMs !== undefined && { latencyMs }),
    ...(costUsd !== undefined && { costUsd }),
    ...(model !== undefined && { model }),
    ...(promptVersion !== undefined && { promptVersion }),
    ...(promptSha256 !== undefined && { promptSha256 }),
    ...(withoutQuotes && { withoutQuotes }),
  };
}

/** A trial without an answer: it misses everything that was expected. */
export async function failedTrial(golden: GoldenCase, why: string): Promise<TrialEvidence> {
  return { ...(await matchTrial(golden, { concepts: [], relationships: [] })), failed: why };
}

function expectedOf({ golden }: PreparedCase, resolved: readonly ConceptResolution[]): ExpectedConcept[] {
  const strictest = new Map<string, MatchLevel>();
  for (const { match } of resolved) {
    if (match === undefined) continue;
    const other = strictest.get(match.expected);
    if (other === undefined || isStricter(match.level, other)) strictest.set(match.expected, match.level);
  }
  return golden.expectedConcepts.map(({ label, required }) => {
    const found = strictest.get(label);
    return { label, required, ...(found && { found }) };
  });
}
