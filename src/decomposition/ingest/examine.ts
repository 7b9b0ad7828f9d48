import type { Examined, Ingested } from '../../measure/measure.ts';
import { type CaseEvidence, evidenceAt, type MatchLevel, type TrialEvidence } from '../evidence.ts';
import { failedTrial, matchTrial } from '../match/match-trial.ts';
import type { SemanticModel } from '../match/semantic/model.ts';
import { notesOn } from '../notes.ts';
import type { PredicateMap } from '../predicates.ts';
import type { GoldenCase, GoldenSet, GoldenStream } from './golden-case.ts';
import type { ExtractionOutput } from './output.ts';
import { openOutputs, type RecordedOutputs, type Trial } from './outputs/open-outputs.ts';
import type { OutputMap } from './outputs/output-map.ts';
import { readPredicate } from './predicate.ts';

type ExamineOptions = {
  /** Without it the semantic level finds nothing. */
  readonly semantic?: SemanticModel | undefined;
  /** Predicates of the extractor's own, and what they mean. */
  readonly predicateMap?: PredicateMap | undefined;
  /** Is told what concerns no case: files that belong to none. */
  readonly note?: (text: string) => void;
};

export type ExaminedOutputs = Ingested<CaseEvidence> & {
  /** What concerns no case. */
  readonly notes: readonly string[];
};

/**
 * Golden cases and recorded outputs → evidence. An output that cannot be read is an error of its case, and counts as an
 * answer without a word; where not one can be read there is nothing to measure.
 */
export async function examineOutputs(
  golden: GoldenSet,
  /** A folder with a file for each case, or a file with all outputs. */
  path: string,
  options: ExamineOptions & { readonly map?: OutputMap } = {},
): Promise<ExaminedOutputs> {
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  const cases: Examined<CaseEvidence>[] = [];
  for await (const one of examineEach(golden, openOutputs(path, options.map), { ...options, note }))
    cases.push(one);
  return { truthHash: golden.hash, cases: unlessSilent(cases), notes: [...notes, ...golden.doubts] };
}

/** The same, case by case, for whoever keeps less than all the golden cases and all the evidence. */
export async function* examineEach(
  golden: Pick<GoldenStream, 'cases'>,
  outputs: RecordedOutputs,
  options: ExamineOptions = {},
): AsyncGenerator<Examined<CaseEvidence>> {
  for (const one of golden.cases) yield await examineTrials(one, await outputs.trialsOf(one), options);
  for (const note of outputs.notes()) options.note?.(note);
}

/** The executions of one case, those that failed among them. */
export async function examineTrials(
  golden: GoldenCase,
  given: readonly Trial[],
  { semantic, predicateMap }: ExamineOptions = {},
): Promise<Examined<CaseEvidence>> {
  const { id } = golden;
  if (given.length === 0) return { id, error: 'there is no output of this case' };
  const trials: TrialEvidence[] = [];
  for (const one of given) {
    trials.push(
      'error' in one
        ? await failedTrial(golden, one.error)
        : await matchTrial(golden, withPredicates(one, predicateMap), semantic),
    );
  }
  const evidence = { caseId: id, trials };
  return { id, evidence, notes: notesOn(evidence), ...faultOf(evidence) };
}

function withPredicates(output: ExtractionOutput, map: PredicateMap | undefined): ExtractionOutput {
  if (map === undefined) return output;
  const relationships = output.relationships.map((edge) => ({
    ...edge,
    predicate: readPredicate(edge.predicate, map),
  }));
  return { ...output, relationships };
}

/** Which executions failed, and why. */
function faultOf({ trials }: CaseEvidence): { readonly fault?: string } {
  const faults = trials.flatMap(({ failed }, i) =>
    failed === undefined
      ? []
      : [trials.length === 1 ? failed : `trial ${i + 1} of ${trials.length}: ${failed}`],
  );
  return faults.length === 0 ? {} : { fault: faults.join('; ') };
}

/** Where not one execution of any case gave an answer, nothing was measured: the fault lies before the measuring. */
export function unlessSilent(cases: readonly Examined<CaseEvidence>[]): readonly Examined<CaseEvidence>[] {
  const answered = cases.some(
    (one) => 'evidence' in one && one.evidence.trials.some(({ failed }) => failed === undefined),
  );
  if (answered) return cases;
  return cases.map((one) => ('error' in one ? one : { id: one.id, error: one.fault ?? 'no answer' }));
}

/** The same case with only the matches up to `level`, and notes to fit. */
export function examinedAt(one: Examined<CaseEvidence>, level: MatchLevel): Examined<CaseEvidence> {
  if ('error' in one) return one;
  const evidence = evidenceAt(one.evidence, level);
  return { ...one, evidence, notes: notesOn(evidence) };
}
