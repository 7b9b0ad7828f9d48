import { createHash } from 'node:crypto';
import type { JudgedMetric } from '../../judge/verdict.ts';
import type { Zone } from '../../judge/zone.ts';
import { type CaseEvidence, evidenceAt, type MatchLevel, type TrialEvidence } from '../evidence.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import type { ChecklistAnswer } from './checklist.ts';
import type { Conclusions } from './conclusions.ts';
import { labelWords } from './label-words.ts';
import { duplicateConcepts, extraConcepts } from './precision.ts';
import { quoteFaults } from './provenance.ts';
import { missedConcepts } from './recall.ts';
import { relationshipFindings } from './relationships.ts';
import { suspicions } from './suspicions.ts';
import { findNear, findPhrase, indexText, type Passage, type TextIndex } from './text-index.ts';

/** The evidence of a case for every question of the checklist, over all its runs. */
export type Findings = ReturnType<typeof findingsOn>;

/** `evidence` at every match level, its trials in the order of `outputs`; `level` is the loosest that counts. */
export function findingsOn(
  golden: GoldenCase,
  evidence: CaseEvidence,
  outputs: readonly ExtractionOutput[],
  level: MatchLevel,
) {
  const context = contextOf(golden, evidence, outputs, level);
  const extras = extraConcepts(context);
  const missed = missedConcepts(context, extras);
  const total = (size: (run: InvestigatedTrial) => number) =>
    context.runs.reduce((sum, run) => sum + size(run), 0);
  return {
    runs: context.runs.length,
    /** Those with an output of their own. */
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

export function isClean({ missed, extras, relationships, quotes }: Findings): boolean {
  return [missed, extras, relationships.wrong, relationships.missed, quotes].every(
    ({ length }) => length === 0,
  );
}

export function countByKind<Kind extends string>(
  items: readonly { readonly kind: Kind; readonly count?: number; readonly runs?: number }[],
): ReadonlyMap<Kind, number> {
  const counts = new Map<Kind, number>();
  for (const { kind, count, runs } of items) counts.set(kind, (counts.get(kind) ?? 0) + (count ?? runs ?? 1));
  return counts;
}

/** One execution: its output, its judgement, and what looser match levels would have matched. */
export type InvestigatedTrial = {
  readonly output: ExtractionOutput;
  readonly trial: TrialEvidence;
  readonly loose: TrialEvidence;
};

export type Context = {
  readonly golden: GoldenCase;
  readonly level: MatchLevel;
  readonly text: TextIndex;
  readonly runs: readonly InvestigatedTrial[];
  /** Runs with an output of their own: a program that repeats itself agrees with itself. */
  readonly distinctRuns: number;
};

function contextOf(
  golden: GoldenCase,
  evidence: CaseEvidence,
  outputs: readonly ExtractionOutput[],
  level: MatchLevel,
): Context {
  const judged = evidenceAt(evidence, level).trials;
  return {
    golden,
    level,
    text: indexText(golden.sourceText),
    distinctRuns: new Set(outputs.map(outputKey)).size,
    runs: outputs.map((output, i) => ({
      output,
      trial: judged[i] as TrialEvidence,
      loose: evidence.trials[i] as TrialEvidence,
    })),
  };
}

function outputKey({ concepts, relationships }: ExtractionOutput): string {
  return createHash('sha256')
    .update(JSON.stringify([concepts, relationships]))
    .digest('hex');
}

type Mention =
  | { readonly mention: 'stated' | 'implied'; readonly passage: Passage }
  | { readonly mention: 'absent' };

export function mentionOf(text: TextIndex, name: string): Mention {
  const passage = findPhrase(text, name);
  if (passage !== undefined) return { mention: 'stated', passage };
  const near = findNear(text, [...labelWords(name).stems]);
  return near === undefined ? { mention: 'absent' } : { mention: 'implied', passage: near };
}

export type Investigation = {
  readonly id: string;
  /** `not recorded` where neither the outputs nor the request have it. */
  readonly promptVersion: string;
  readonly prompt?: string;
  readonly metrics: readonly JudgedMetric[];
  readonly gated: readonly JudgedMetric[];
  readonly clean: boolean;
  readonly findings: Findings;
  readonly conclusions: Conclusions;
  readonly checklist: readonly ChecklistAnswer[];
};

export type InvestigatedSource =
  | { readonly kind: 'recorded'; readonly folders: readonly string[] }
  | { readonly kind: 'extractor'; readonly repeat: number };

export type Investigated = {
  readonly date: string;
  readonly source: InvestigatedSource;
  readonly cases: readonly Investigation[];
  readonly clean: readonly string[];
  readonly errored: readonly { readonly id: string; readonly error: string }[];
  readonly leftOut: readonly string[];
  readonly semantic: 'measured' | 'off' | 'not installed';
};

export function inZone({ gated }: Investigation, zone: Zone): JudgedMetric[] {
  return gated.filter((metric) => metric.zone === zone);
}

export function worstFirst(one: Investigation, other: Investigation): number {
  const fails = (some: Investigation) => inZone(some, 'fail').length;
  return fails(other) - fails(one) || overallOf(one) - overallOf(other) || (one.id < other.id ? -1 : 1);
}

/** Where there is no score at all there is nothing good either. */
export function overallOf({ metrics }: Investigation): number {
  const overall = metrics.find(({ id }) => id === 'decomposition/overall')?.measurement;
  return overall?.measured ? overall.value : Number.NEGATIVE_INFINITY;
}
