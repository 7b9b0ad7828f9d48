import { AssayError } from '../../errors.ts';
import type { Examined, Ingested } from '../../measure/measure.ts';
import { type CaseEvidence, evidenceAt, type MatchLevel, type TrialEvidence } from '../evidence.ts';
import { matchTrial } from '../match/match-trial.ts';
import { namesIn } from '../match/prepare-case.ts';
import type { SemanticModel } from '../match/semantic/model.ts';
import { notesOn } from '../notes.ts';
import { checkOutput } from './check-output.ts';
import type { GoldenCase, GoldenSet, GoldenStream } from './golden-case.ts';
import { type ExtractionOutput, readOutput } from './output.ts';
import { type OutputFiles, readOutputFolder } from './output-files.ts';

type ExamineOptions = {
  /** Without it the semantic level finds nothing. */
  readonly semantic?: SemanticModel | undefined;
  /** Is told what concerns no case: files that belong to none. */
  readonly note?: (text: string) => void;
};

export type ExaminedOutputs = Ingested<CaseEvidence> & {
  /** What concerns no case. */
  readonly notes: readonly string[];
};

/** Golden cases and recorded outputs → evidence. An output that cannot be read is an errored case. */
export async function examineOutputs(
  golden: GoldenSet,
  outputsFolder: string,
  options: ExamineOptions = {},
): Promise<ExaminedOutputs> {
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  const cases: Examined<CaseEvidence>[] = [];
  for await (const one of examineEach(golden, outputsFolder, { ...options, note })) cases.push(one);
  return { truthHash: golden.hash, cases, notes: [...notes, ...golden.doubts] };
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
  return catchInto(golden.id, async () => {
    if ('error' in files) throw new AssayError('INPUT_INVALID', files.error);
    const isKnown = namesIn(golden);
    const trials: TrialEvidence[] = [];
    for (const path of files.paths)
      trials.push(await matchTrial(golden, readOutput(path, isKnown), options.semantic));
    return trials;
  });
}

/** Outputs of one case that are at hand, one for each execution. */
export function examineTrials(
  golden: GoldenCase,
  outputs: readonly ExtractionOutput[],
  options: ExamineOptions = {},
): Promise<Examined<CaseEvidence>> {
  return catchInto(golden.id, async () => {
    if (outputs.length === 0) throw new AssayError('INPUT_INVALID', 'there is no output of this case');
    const trials: TrialEvidence[] = [];
    for (const [i, output] of outputs.entries()) {
      checkOutput(output, `output ${i + 1}`, namesIn(golden));
      trials.push(await matchTrial(golden, output, options.semantic));
    }
    return trials;
  });
}

async function catchInto(
  id: string,
  work: () => Promise<readonly TrialEvidence[]>,
): Promise<Examined<CaseEvidence>> {
  try {
    const evidence = { caseId: id, trials: await work() };
    return { id, evidence, notes: notesOn(evidence) };
  } catch (error) {
    if (error instanceof AssayError) return { id, error: error.message };
    throw error;
  }
}

/** The same case with only the matches up to `level`, and notes to fit. */
export function examinedAt(one: Examined<CaseEvidence>, level: MatchLevel): Examined<CaseEvidence> {
  if ('error' in one) return one;
  const evidence = evidenceAt(one.evidence, level);
  return { id: one.id, evidence, notes: notesOn(evidence) };
}
