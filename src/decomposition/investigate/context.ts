import { createHash } from 'node:crypto';
import { type CaseEvidence, evidenceAt, type MatchLevel, type TrialEvidence } from '../evidence.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import { labelWords } from './label-words.ts';
import { findNear, findPhrase, indexText, type Passage, type TextIndex } from './text-index.ts';

/** One execution: what it put out, how that was judged, and what looser match levels would have recognised. */
export type InvestigatedTrial = {
  readonly output: ExtractionOutput;
  readonly trial: TrialEvidence;
  readonly loose: TrialEvidence;
};

/** One case with everything that its investigation rests on. */
export type Context = {
  readonly golden: GoldenCase;
  /** The loosest match that counts. */
  readonly level: MatchLevel;
  readonly text: TextIndex;
  readonly runs: readonly InvestigatedTrial[];
  /** Runs with an output of their own: a program that repeats itself agrees with itself. */
  readonly distinctRuns: number;
};

/** `evidence` at every match level, its trials in the order of `outputs`; `level` is the loosest that counts. */
export function contextOf(
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

/** Time, cost and stamps aside. */
function outputKey({ concepts, relationships }: ExtractionOutput): string {
  return createHash('sha256')
    .update(JSON.stringify([concepts, relationships]))
    .digest('hex');
}

/** Whether a text says a name, only holds its words near each other, or neither. */
type Mention =
  | { readonly mention: 'stated' | 'implied'; readonly passage: Passage }
  | { readonly mention: 'absent' };

export function mentionOf(text: TextIndex, name: string): Mention {
  const passage = findPhrase(text, name);
  if (passage !== undefined) return { mention: 'stated', passage };
  const near = findNear(text, [...labelWords(name).stems]);
  return near === undefined ? { mention: 'absent' } : { mention: 'implied', passage: near };
}
