/** The outputs to investigate, beside their evidence: evidence alone does not hold what a quote said. */
import { existsSync } from 'node:fs';
import type { CaseEvidence } from '../../decomposition/evidence.ts';
import { examineTrials } from '../../decomposition/ingest/examine.ts';
import type { GoldenCase } from '../../decomposition/ingest/golden-case.ts';
import type { ExtractionOutput } from '../../decomposition/ingest/output.ts';
import { openOutputs, type Trial } from '../../decomposition/ingest/outputs/open-outputs.ts';
import type { OutputMap } from '../../decomposition/ingest/outputs/output-map.ts';
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
    const trials: Trial[] = [];
    for (const outputs of all) trials.push(...(await outputs.trialsOf(golden)));
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
