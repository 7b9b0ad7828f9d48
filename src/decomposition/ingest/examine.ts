import { AssayError } from '../../errors.ts';
import type { Examined, Ingested } from '../../measure/measure.ts';
import { type CaseEvidence, evidenceAt, type MatchLevel, type TrialEvidence } from '../evidence.ts';
import { failedTrial, matchTrial } from '../match/match-trial.ts';
import type { SemanticModel } from '../match/semantic/model.ts';
import { notesOn } from '../notes.ts';
import type { PredicateMap } from '../predicates.ts';
import type { GoldenCase, GoldenSet, GoldenStream } from './golden-case.ts';
import { type ExtractionOutput, readOutput } from './output.ts';
import { type OutputFiles, readOutputFolder } from './output-files.ts';
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
  outputsFolder: string,
  options: ExamineOptions = {},
): Promise<ExaminedOutputs> {
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  const cases: Examined<CaseEvidence>[] = [];
  for await (const one of examineEach(golden, outputsFolder, { ...options, note })) cases.push(one);
  return { truthHash: golden.hash, cases: unlessSilent(cases), notes: [...notes, ...golden.doubts] };
}

/** The same, case by case, for whoever keeps less than all the golden cases and all the evidence. */
export async function* examineEach(
  golden: Pick<GoldenStream, 'cases'>,
  outputsFolder: string,
  options: ExamineOptions = {},
): AsyncGenerator<Examined<CaseEvidence>> {
  const folder = readOutputFolder(outputsFolder);
  const ids: string[] = [];
  for (const one of golden.cases) {
    ids.push(one.id);
    yield await examineFiles(one, folder.filesOf(one.id), options);
  }
  const strangers = folder.strangers(ids);
  if (strangers.length > 0) options.note?.(sayStrangers(strangers, outputsFolder));
}

function sayStrangers(strangers: readonly string[], path: string): string {
  const named = strangers.slice(0, 3).join(', ');
  if (strangers.length === 1) return `${path}: ${named} belongs to no golden case and was not read`;
  const more = strangers.length > 3 ? ` and ${strangers.length - 3} more` : '';
  return `${path}: ${named}${more} belong to no golden case and were not read`;
}

function examineFiles(golden: GoldenCase, files: OutputFiles, options: ExamineOptions) {
  if ('error' in files) return examineTrials(golden, [{ error: files.error }], options);
  return examineTrials(golden, files.paths.map(readTrial), options);
}

/** What one execution gave, or why it gave nothing. */
export type Trial = ExtractionOutput | { readonly error: string };

export function readTrial(path: string): Trial {
  try {
    return readOutput(path);
  } catch (error) {
    if (error instanceof AssayError) return { error: error.message };
    throw error;
  }
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
