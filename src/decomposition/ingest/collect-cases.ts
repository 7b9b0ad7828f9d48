import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { listNames } from '../../files.ts';
import type { Examined, Ingested } from '../../measure/measure.ts';
import { notesOn } from '../case-lists.ts';
import {
  type CaseEvidence,
  DEFAULT_MATCH_LEVEL,
  evidenceAt,
  MATCH_LEVELS,
  type MatchLevel,
  type TrialEvidence,
} from '../evidence.ts';
import type { PredicateMap } from '../golden-rules.ts';
import { failedTrial, matchTrial } from '../match/match-trial.ts';
import type { SemanticModel } from '../match/semantic/load.ts';
import type { GoldenCase, GoldenSet } from './golden-case.ts';
import { type ExtractionOutput, readPredicate } from './output.ts';
import { openOutputs, type RecordedOutputs, type Trial } from './outputs/open-outputs.ts';
import type { OutputMap } from './outputs/output-map.ts';

export type Collected = {
  /** At the match level of the gate. */
  readonly cases: readonly Examined<CaseEvidence>[];
  /** The same cases at the other levels that a report shows. */
  readonly otherLevels: ReadonlyMap<MatchLevel, readonly CaseEvidence[]>;
  /** Hash of what was extracted and how it was recognised, however long it took and whoever made it. */
  readonly content: string;
  readonly usage: OutputUsage;
};

/** A sum over the outputs that say it. */
export type Amount = { readonly sum: number; readonly n: number };

/** What outputs say they took; nothing where none says so. */
export type OutputUsage = { readonly costUsd?: Amount; readonly latencyMs?: Amount };

export type CaseCollector = {
  readonly add: (one: Examined<CaseEvidence>) => void;
  readonly collected: () => Collected;
};

/** Takes cases one by one, as they are examined. */
export function openCollector(level: MatchLevel, semantic: boolean): CaseCollector {
  const cases: Examined<CaseEvidence>[] = [];
  const shown = [DEFAULT_MATCH_LEVEL, 'semantic'];
  const others = MATCH_LEVELS.filter((one) => semantic && one !== level && shown.includes(one));
  const otherLevels = new Map(others.map((one) => [one, [] as CaseEvidence[]]));
  const sha = createHash('sha256');
  const usage: Record<'costUsd' | 'latencyMs', { sum: number; n: number }> = {
    costUsd: { sum: 0, n: 0 },
    latencyMs: { sum: 0, n: 0 },
  };
  return {
    add: (one) => {
      sha.update(contentOf(one));
      for (const trial of 'evidence' in one ? one.evidence.trials : []) {
        for (const key of ['costUsd', 'latencyMs'] as const) {
          if (trial[key] === undefined) continue;
          usage[key].sum += trial[key];
          usage[key].n += 1;
        }
      }
      cases.push(examinedAt(one, level));
      if ('error' in one) return;
      for (const [other, list] of otherLevels) list.push(evidenceAt(one.evidence, other));
    },
    collected: () => ({
      cases: unlessSilent(cases),
      otherLevels,
      content: sha.copy().digest('hex'),
      usage: saidIn(usage),
    }),
  };
}

function saidIn({ costUsd, latencyMs }: Required<OutputUsage>): OutputUsage {
  return { ...(costUsd.n > 0 && { costUsd }), ...(latencyMs.n > 0 && { latencyMs }) };
}

function contentOf(one: Examined<CaseEvidence>): string {
  if ('error' in one) return JSON.stringify([one.id]);
  const trials = one.evidence.trials.map(
    ({ latencyMs: _, costUsd: __, model: ___, promptVersion: ____, promptSha256: _____, ...found }) => found,
  );
  return JSON.stringify([one.id, trials]);
}

/** The outputs of one case, in the order of their executions, or why they cannot be told apart. */
export type OutputFiles = { readonly paths: readonly string[] } | { readonly error: string };

export type OutputFolder = {
  readonly filesOf: (caseId: string) => OutputFiles;
  readonly count: number;
  /** Files that belong to none of these cases. */
  readonly strangers: (caseIds: readonly string[]) => string[];
};

/** `<case id>.json` for one execution, or `<case id>.<n>.json` for several; most count from 1, some from 0. */
export function readOutputFolder(folder: string): OutputFolder {
  const names = listNames(folder, '.json').sort();
  const repeats = new Map<string, Map<number, string>>();
  const single = new Map<string, string>();
  for (const name of names) {
    const { id, n } = partsOf(name);
    if (n === undefined) single.set(id, name);
    else repeats.set(id, (repeats.get(id) ?? new Map()).set(n, name));
  }
  return {
    count: names.length,
    filesOf: (caseId) => {
      const alone = join(folder, single.get(caseId) ?? `${caseId}.json`);
      const numbers = repeats.get(caseId);
      if (numbers === undefined) return { paths: [alone] };
      if (single.has(caseId)) {
        return {
          error: `${alone}: there are numbered outputs of this case as well; keep one of the two forms`,
        };
      }
      return { paths: [...numbers].sort(([a], [b]) => a - b).map(([, name]) => join(folder, name)) };
    },
    strangers: (caseIds) => {
      const known = new Set(caseIds);
      return names.filter((name) => !known.has(partsOf(name).id));
    },
  };
}

function partsOf(name: string): { id: string; n: number | undefined } {
  const [, id = '', n] = /^(.*?)(?:\.(0|[1-9]\d{0,8}))?\.json$/.exec(name) ?? [];
  return { id, n: n === undefined ? undefined : Number(n) };
}

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
  golden: Pick<GoldenSet, 'cases'>,
  outputs: RecordedOutputs,
  options: ExamineOptions = {},
): AsyncGenerator<Examined<CaseEvidence>> {
  for (const one of golden.cases) yield await examineTrials(one, outputs.trialsOf(one), options);
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
function unlessSilent(cases: readonly Examined<CaseEvidence>[]): readonly Examined<CaseEvidence>[] {
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
