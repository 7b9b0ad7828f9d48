import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import type { Examined, Ingested } from '../../measure/measure.ts';
import type { CaseEvidence } from '../evidence.ts';
import { matchCase } from '../match/match-case.ts';
import { type GoldenSet, readGoldenSet } from './golden-case.ts';
import { readOutput } from './output.ts';

/** Golden cases and recorded outputs (`<case id>.json`) → evidence. An output that cannot be read is an errored case. */
export function examineOutputs(goldenFolder: string, outputsFolder: string): Ingested<CaseEvidence> {
  const golden: GoldenSet = readGoldenSet(goldenFolder);
  return {
    truthHash: golden.hash,
    cases: golden.cases.map((one) => examine(one, join(outputsFolder, `${one.id}.json`))),
  };
}

function examine(golden: GoldenSet['cases'][number], path: string): Examined<CaseEvidence> {
  try {
    const evidence = matchCase(golden, readOutput(path));
    return { id: golden.id, evidence, notes: notesOn(evidence) };
  } catch (error) {
    if (error instanceof AssayError) return { id: golden.id, error: error.message };
    throw error;
  }
}

function notesOn({ expected, concepts }: CaseEvidence): string[] {
  const missed = expected.filter((concept) => !concept.found).map((concept) => concept.label);
  const extra = concepts
    .filter((concept) => !concept.match && !concept.canary)
    .map((concept) => concept.label);
  const canaries = concepts.flatMap((concept) => concept.canary ?? []);
  return [
    ...(missed.length > 0 ? [`missed: ${missed.join(', ')}`] : []),
    ...(extra.length > 0 ? [`not expected: ${extra.join(', ')}`] : []),
    ...(canaries.length > 0 ? [`canaries: ${canaries.join(', ')}`] : []),
  ];
}
