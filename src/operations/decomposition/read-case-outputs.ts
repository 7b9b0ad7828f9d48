/** The outputs to investigate, beside their evidence: evidence alone does not hold what a quote said. */
import { existsSync } from 'node:fs';
import type { CaseEvidence } from '../../decomposition/evidence.ts';
import { examineTrials } from '../../decomposition/ingest/examine.ts';
import type { GoldenCase } from '../../decomposition/ingest/golden-case.ts';
import { type ExtractionOutput, readOutput } from '../../decomposition/ingest/output.ts';
import { type OutputFolder, readOutputFolder } from '../../decomposition/ingest/output-files.ts';
import { namesIn } from '../../decomposition/match/prepare-case.ts';
import type { SemanticModel } from '../../decomposition/match/semantic/model.ts';
import { AssayError } from '../../errors.ts';
import type { Ports } from '../ports.ts';
import { extractCases } from './extract-cases.ts';
import type { Extraction } from './open-extraction.ts';

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

/** Case by case, so that no more than one case's outputs are held. */
export async function* readCaseOutputs(
  cases: readonly GoldenCase[],
  paths: readonly string[],
  semantic: SemanticModel | undefined,
  { progress }: Pick<Ports, 'progress'>,
): AsyncGenerator<CaseOutputs> {
  const folders = paths.map(readOutputFolder);
  for (const [done, golden] of cases.entries()) {
    progress({ what: 'investigating', done: done + 1, total: cases.length, unit: 'cases' });
    const read = folders.map((folder) => outputsIn(folder, golden));
    const faults = read.flatMap((one) => ('error' in one ? [one.error] : []));
    const outputs = read.flatMap((one) => ('outputs' in one ? one.outputs : []));
    const [first] = faults;
    if (outputs.length === 0 && first !== undefined) yield { golden, leftOut: [], error: first };
    else {
      const leftOut = faults.map((fault) => `${golden.id}: left out: ${fault}`);
      yield await examined(golden, outputs, leftOut, semantic);
    }
  }
}

/** The same of outputs that are extracted now. */
export async function* extractCaseOutputs(
  cases: readonly GoldenCase[],
  extraction: Extraction,
  repeat: number,
  semantic: SemanticModel | undefined,
  ports: Ports,
): AsyncGenerator<CaseOutputs> {
  for await (const one of extractCases(cases, extraction, repeat, ports)) {
    yield 'error' in one
      ? { golden: one.golden, leftOut: [], error: one.error }
      : await examined(one.golden, one.outputs, [], semantic);
  }
}

function outputsIn(
  folder: OutputFolder,
  golden: GoldenCase,
): { readonly outputs: readonly ExtractionOutput[] } | { readonly error: string } {
  const files = folder.filesOf(golden.id);
  if ('error' in files) return files;
  try {
    return { outputs: files.paths.map((path) => readOutput(path, namesIn(golden))) };
  } catch (error) {
    if (error instanceof AssayError) return { error: error.message };
    throw error;
  }
}

async function examined(
  golden: GoldenCase,
  outputs: readonly ExtractionOutput[],
  leftOut: readonly string[],
  semantic: SemanticModel | undefined,
): Promise<CaseOutputs> {
  const one = await examineTrials(golden, outputs, { semantic });
  return 'error' in one
    ? { golden, leftOut, error: one.error }
    : { golden, leftOut, evidence: one.evidence, outputs };
}
