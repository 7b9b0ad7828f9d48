import type { CaseEvidence, MatchLevel } from '../evidence.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import { contextOf, type InvestigatedTrial } from './context.ts';
import { type Duplicate, duplicateConcepts, type Extra, extraConcepts } from './precision.ts';
import { type QuoteFault, quoteFaults } from './provenance.ts';
import { type MissedConcept, missedConcepts } from './recall.ts';
import { type RelationshipFindings, relationshipFindings } from './relationships.ts';
import { type Suspicion, suspicions } from './suspicions.ts';

/** What a case's evidence says to every question of the checklist, over all its runs. */
export type Findings = {
  readonly runs: number;
  /** Those with an output of their own. */
  readonly distinctRuns: number;
  /** Over all runs together. */
  readonly totals: {
    readonly expected: number;
    readonly extracted: number;
    readonly expectedRelationships: number;
    readonly extractedRelationships: number;
  };
  readonly missed: readonly MissedConcept[];
  readonly extras: readonly Extra[];
  readonly duplicates: readonly Duplicate[];
  readonly relationships: RelationshipFindings;
  readonly quotes: readonly QuoteFault[];
  readonly suspicions: readonly Suspicion[];
};

/** `evidence` at every match level, its trials in the order of `outputs`; `level` is the loosest that counts. */
export function findingsOn(
  golden: GoldenCase,
  evidence: CaseEvidence,
  outputs: readonly ExtractionOutput[],
  level: MatchLevel,
): Findings {
  const context = contextOf(golden, evidence, outputs, level);
  const extras = extraConcepts(context);
  const missed = missedConcepts(context, extras);
  const total = (size: (run: InvestigatedTrial) => number) =>
    context.runs.reduce((sum, run) => sum + size(run), 0);
  return {
    runs: context.runs.length,
    distinctRuns: context.distinctRuns,
    totals: {
      expected: total(({ trial }) => trial.expected.length),
      extracted: total(({ trial }) => trial.concepts.length),
      expectedRelationships: total(({ trial }) => trial.expectedRelationships.length),
      extractedRelationships: total(
        ({ trial }) => trial.relationships.filter(({ duplicate }) => !duplicate).length,
      ),
    },
    missed,
    extras,
    duplicates: duplicateConcepts(context),
    relationships: relationshipFindings(context),
    quotes: quoteFaults(context),
    suspicions: suspicions(context, missed, extras),
  };
}

/** Nothing missed, nothing too much, no relationship wrong or missing, every quote verified. */
export function isClean({ missed, extras, relationships, quotes }: Findings): boolean {
  return [missed, extras, relationships.wrong, relationships.missed, quotes].every(
    ({ length }) => length === 0,
  );
}

/** How many of `items` are of each kind, each counted as often as it happened. */
export function countByKind<Kind extends string>(
  items: readonly { readonly kind: Kind; readonly count?: number; readonly runs?: number }[],
): ReadonlyMap<Kind, number> {
  const counts = new Map<Kind, number>();
  for (const { kind, count, runs } of items) counts.set(kind, (counts.get(kind) ?? 0) + (count ?? runs ?? 1));
  return counts;
}
