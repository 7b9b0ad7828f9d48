import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { listNames } from '../../files.ts';
import type { Examined, Ingested } from '../../measure/measure.ts';
import { notesOn } from '../case-lists.ts';
import {
  type CaseEvidence,
  DEFAULT_MATCH_LEVEL,
  evidenceAt,
  type MatchLevel,
  type TrialEvidence,
} from '../evidence.ts';
import type { PredicateMap } from '../golden-rules.ts';
import { failedTrial, matchTrial } from '../match/match-trial.ts';
import type { SemanticModel } from '../match/semantic/load.ts';
import type { GoldenCase, GoldenSet } from './golden-case.ts';
import { type ExtractionOutput, readPredicate } from './output.ts';
import { openOutputs, type Trial } from './outputs/open-outputs.ts';
import type { OutputMap } from './outputs/output-map.ts';

export type Collected = {
  readonly cases: readonly Examined<CaseEvidence>[];
  readonly otherLevels: ReadonlyMap<MatchLevel, readonly CaseEvidence[]>;
  /** Hash of the extracted concepts and their matches, without duration and author. */
  readonly content: string;
  readonly usage: OutputUsage;
};

type Amount = { readonly sum: number; readonly n: number };

export type OutputUsage = { readonly costUsd?: Amount; readonly latencyMs?: Amount };

export function collectCases(
  examined: readonly Examined<CaseEvidence>[],
  level: MatchLevel,
  semantic: boolean,
): Collected {
  const evidence = examined.flatMap((one) => ('evidence' in one ? [one.evidence] : []));
  const trials = evidence.flatMap((one) => one.trials);
  const others = [DEFAULT_MATCH_LEVEL, 'semantic' as const].filter((one) => semantic && one !== level);
  const sha = createHash('sha256');
  for (const one of examined) sha.update(contentOf(one));
  return {
    cases: unlessUnanswered(examined.map((one) => examinedAt(one, level))),
    otherLevels: new Map(others.map((one) => [one, evidence.map((all) => evidenceAt(all, one))])),
    content: sha.digest('hex'),
    usage: {
      costUsd: amountOf(trials.flatMap(({ costUsd }) => costUsd ?? [])),
      latencyMs: amountOf(trials.flatMap(({ latencyMs }) => latencyMs ?? [])),
    },
  };
}

function amountOf(values: readonly number[]): Amount | undefined {
  return values.length === 0
    ? undefined
    : { sum: values.reduce((sum, one) => sum + one, 0), n: values.length };
}

function contentOf(one: Examined<CaseEvidence>): string {
  if ('error' in one) return JSON.stringify([one.id]);
  const trials = one.evidence.trials.map(
    ({ latencyMs: _, costUsd: __, model: ___, promptVersion: ____, promptSha256: _____, ...found }) => found,
  );
  return JSON.stringify([one.id, trials]);
}

type OutputFiles = { readonly paths: readonly string[] } | { readonly error: string };

export type OutputFolder = {
  readonly filesOf: (caseId: string) => OutputFiles;
  readonly count: number;
  readonly unmatched: (caseIds: readonly string[]) => string[];
  /** Trials that only some of the cases have. */
  readonly missing: (caseIds: readonly string[]) => string[];
};

/** `<case id>.json` for one execution, or `<case id>.<n>.json` for several; most tools count from 1, some from 0. */
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
          error: `${alone}: there are numbered outputs of this case as well; use only one of the two forms`,
        };
      }
      return { paths: [...numbers].sort(([a], [b]) => a - b).map(([, name]) => join(folder, name)) };
    },
    missing: (caseIds) => {
      const each = caseIds.flatMap((id) => {
        const trials = repeats.get(id);
        return trials === undefined ? [] : [{ id, trials }];
      });
      const all = new Set(each.flatMap(({ trials }) => [...trials.keys()]));
      const numbers = Array.from({ length: Math.min(MOST_TRIALS, Math.max(...all) + 1) }, (_, n) => n);
      const expected = numbers.filter((n) => n > 0 || all.has(0));
      return each.flatMap(({ id, trials }) => {
        const gaps = expected.filter((n) => !trials.has(n));
        return gaps.length === 0
          ? []
          : [
              `${id}: ${gaps.length === 1 ? 'trial' : 'trials'} ${gaps.slice(0, 5).join(', ')} of ${expected.length} missing`,
            ];
      });
    },
    unmatched: (caseIds) => {
      const known = new Set(caseIds);
      return names.filter((name) => !known.has(partsOf(name).id));
    },
  };
}

/** A generous limit on repeats. */
const MOST_TRIALS = 1001;

function partsOf(name: string): { id: string; n: number | undefined } {
  const [, id = '', n] = /^(.*?)(?:\.(0|[1-9]\d{0,8}))?\.json$/.exec(name) ?? [];
  return { id, n: n === undefined ? undefined : Number(n) };
}

type ExamineOptions = {
  readonly semantic?: SemanticModel | undefined;
  readonly predicateMap?: PredicateMap | undefined;
};

export type ExaminedOutputs = Ingested<CaseEvidence> & {
  readonly notes: readonly string[];
};

/**
 * Matches golden cases and recorded outputs into evidence. An unreadable output is an error of its case and counts as
 * an empty answer. If none can be read, there is nothing to measure.
 */
export async function examineOutputs(
  golden: GoldenSet,
  path: string,
  options: ExamineOptions & { readonly map?: OutputMap } = {},
): Promise<ExaminedOutputs> {
  const outputs = openOutputs(path, options.map);
  const cases: Examined<CaseEvidence>[] = [];
  for (const one of golden.cases) cases.push(await examineTrials(one, outputs.trialsOf(one), options));
  return {
    truthHash: golden.hash,
    cases: unlessUnanswered(cases),
    notes: [...outputs.notes(), ...golden.doubts],
  };
}

export async function examineTrials(
  golden: GoldenCase,
  given: readonly Trial[],
  { semantic, predicateMap }: ExamineOptions = {},
): Promise<Examined<CaseEvidence>> {
  const { id } = golden;
  if (given.length === 0) return { id, error: 'there is no output of this case' };
  const [uncalled] = given.filter((one) => 'error' in one && one.failedCall);
  const answered = given.filter((one) => !('error' in one && one.failedCall));
  if (uncalled !== undefined && 'error' in uncalled) {
    if (answered.length === 0) return { id, error: uncalled.error };
    const rest = await examineTrials(golden, answered, { semantic, predicateMap });
    return 'error' in rest ? rest : { ...rest, fault: uncalled.error };
  }
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

function faultOf({ trials }: CaseEvidence): { readonly fault?: string } {
  const faults = trials.flatMap(({ failed }, i) =>
    failed === undefined
      ? []
      : [trials.length === 1 ? failed : `trial ${i + 1} of ${trials.length}: ${failed}`],
  );
  return faults.length === 0 ? {} : { fault: faults.join('; ') };
}

/** If no execution of any case gave an answer, nothing was measured: the cause lies before the measurement. */
function unlessUnanswered(cases: readonly Examined<CaseEvidence>[]): readonly Examined<CaseEvidence>[] {
  const answered = cases.some(
    (one) => 'evidence' in one && one.evidence.trials.some(({ failed }) => failed === undefined),
  );
  if (answered) return cases;
  return cases.map((one) => ('error' in one ? one : { id: one.id, error: one.fault ?? 'no answer' }));
}

export function examinedAt(one: Examined<CaseEvidence>, level: MatchLevel): Examined<CaseEvidence> {
  if ('error' in one) return one;
  const evidence = evidenceAt(one.evidence, level);
  return { ...one, evidence, notes: notesOn(evidence) };
}
