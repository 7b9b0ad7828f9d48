/** The outputs to investigate, beside their evidence: evidence alone does not hold what a quote said. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CaseEvidence } from '../../decomposition/evidence.ts';
import type { Vocabulary } from '../../decomposition/golden-rules.ts';
import { examineTrials } from '../../decomposition/ingest/collect-cases.ts';
import { type GoldenCase, readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import type { ExtractionOutput } from '../../decomposition/ingest/output.ts';
import { openOutputs, type Trial } from '../../decomposition/ingest/outputs/open-outputs.ts';
import type { OutputMap } from '../../decomposition/ingest/outputs/output-map.ts';
import type { CaseText, ReadCase } from '../../decomposition/suite-run.ts';
import { AssayError } from '../../errors.ts';
import { isInside } from '../../files.ts';
import { didYouMean } from '../../suggest.ts';
import { examplePlace } from '../measure-examples.ts';
import type { Ports } from '../ports.ts';
import { readRun } from '../read-run.ts';
import { extractCases } from './extract-texts.ts';
import type { Extraction } from './extraction.ts';

export type ReadCaseRequest = {
  readonly runId: string;
  readonly caseId: string;
  /** The folder that the golden cases lie below, for those who may see it; nothing outside it is read but the examples of the package. */
  readonly folder: string | undefined;
  readonly vocabulary?: Vocabulary;
};

/** One case of a stored run: what was found, missed and invented, and the text it was found in. */
export async function readCase(request: ReadCaseRequest, ports: Ports): Promise<ReadCase> {
  const { verdict, suite } = await readRun({ id: request.runId }, ports);
  const judged = verdict.cases.find(({ id }) => id === request.caseId);
  if (verdict.instrument !== 'decomposition' || judged === undefined) {
    const known = verdict.cases.map(({ id }) => id);
    throw new AssayError(
      'CASE_NOT_FOUND',
      `run ${verdict.validity.runId} has no case "${request.caseId}"${didYouMean(request.caseId, known)}`,
    );
  }
  return {
    validity: verdict.validity,
    subject: verdict.subject,
    names: suite?.facts,
    judged,
    evidence: suite?.evidence?.get(request.caseId),
    text: textOf(request, suite?.reading?.golden ?? 'golden', verdict.validity.truthHash),
  };
}

function textOf(
  { caseId, folder, vocabulary }: ReadCaseRequest,
  named: string,
  truthHash: string | undefined,
): CaseText {
  if (folder === undefined) return absent('the golden cases lie in a folder of another project');
  const path = resolve(folder, named);
  if (![folder, examplePlace('decomposition')].some((place) => isInside(place, path)))
    return absent(`the golden cases of this run lie outside the folder: ${named}`);
  try {
    const { cases, hash } = readGoldenSet(path, vocabulary);
    const golden = cases.find(({ id }) => id === caseId);
    if (golden === undefined) return absent(`${named} has no case ${caseId} any more`);
    const { topic, domain, sourceText: text, citation } = golden;
    return {
      state: 'here',
      topic,
      domain,
      text,
      citation,
      asMeasured: hash === truthHash,
    };
  } catch (cause) {
    if (!(cause instanceof AssayError)) throw cause;
    return absent(cause.message);
  }
}

function absent(why: string): CaseText {
  return { state: 'absent', why };
}

export type CaseOutputs = {
  readonly golden: GoldenCase;
  /** What was left out, and why. */
  readonly leftOut: readonly string[];
} & (
  | { readonly evidence: CaseEvidence; readonly outputs: readonly ExtractionOutput[] }
  | { readonly error: string }
);

/** One folder, or several that were named with commas between them. */
export function outputFolders(named: string): readonly string[] {
  const folders = existsSync(named) ? [named] : named.split(',').map((folder) => folder.trim());
  if (new Set(folders).size < folders.length) {
    throw new AssayError('USAGE', 'a folder of outputs is named twice; its runs would agree with themselves');
  }
  return folders;
}

type Examining = Parameters<typeof examineTrials>[2];

/** Case by case, so that no more than one case's outputs are held. */
export async function* readCaseOutputs(
  cases: readonly GoldenCase[],
  paths: readonly string[],
  map: OutputMap | undefined,
  examining: Examining,
  { progress }: Pick<Ports, 'progress'>,
): AsyncGenerator<CaseOutputs> {
  const all = paths.map((path) => openOutputs(path, map));
  for (const [done, golden] of cases.entries()) {
    progress({ what: 'investigating', done: done + 1, total: cases.length, unit: 'cases' });
    const trials = all.flatMap((outputs) => outputs.trialsOf(golden));
    yield await examined(golden, trials, examining);
  }
}

/** The same of outputs that are extracted now. */
export async function* extractCaseOutputs(
  cases: readonly GoldenCase[],
  extraction: Extraction,
  repeat: number,
  examining: Examining,
  ports: Ports,
): AsyncGenerator<CaseOutputs> {
  for await (const { golden, trials } of extractCases(cases, extraction, repeat, ports)) {
    yield await examined(golden, trials, examining);
  }
}

/** What failed has nothing to look into; it is named beside what did not. */
async function examined(
  golden: GoldenCase,
  trials: readonly Trial[],
  examining: Examining,
): Promise<CaseOutputs> {
  const faults = trials.flatMap((trial) => ('error' in trial ? [trial.error] : []));
  const outputs = trials.flatMap((trial) => ('error' in trial ? [] : [trial]));
  const [first] = faults;
  if (outputs.length === 0 && first !== undefined) return { golden, leftOut: [], error: first };
  const leftOut = faults.map((fault) => `${golden.id}: left out: ${fault}`);
  const one = await examineTrials(golden, outputs, examining);
  return 'error' in one
    ? { golden, leftOut, error: one.error }
    : { golden, leftOut, evidence: one.evidence, outputs };
}
