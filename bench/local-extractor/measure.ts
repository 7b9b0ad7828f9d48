/** What the local extractor reaches on each set, each figure on texts that its weights have not seen. */
import { decompositionMetrics } from '../../src/decomposition/catalog.ts';
import type { CaseEvidence } from '../../src/decomposition/evidence.ts';
import { examineTrials } from '../../src/decomposition/ingest/collect-cases.ts';
import { rankPhrases } from '../../src/decomposition/ingest/extractors/local/concepts.ts';
import type { Features } from '../../src/decomposition/ingest/extractors/local/features.ts';
import { localExtractor } from '../../src/decomposition/ingest/extractors/local/local.ts';
import type { Model } from '../../src/decomposition/ingest/extractors/local/model.ts';
import { CLAIMS } from '../../src/decomposition/ingest/extractors/local/relations/claims.ts';
import { claimsFor } from '../../src/decomposition/ingest/extractors/local/relations/relate.ts';
import type { GoldenCase } from '../../src/decomposition/ingest/golden-case.ts';
import { OVERALL_WEIGHTS } from '../../src/decomposition/weights.ts';
import { metricKey } from '../../src/measure/metric.ts';
import { bootstrap } from '../../src/stats/bootstrap.ts';
import type { Abstract, MarkedPair } from './data.ts';
import { learnRelations, type Marked, markedFeatures, type Prepared } from './learn.ts';
import { porter } from './porter.ts';

export type Figure = {
  readonly set: string;
  readonly metric: string;
  readonly value: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly n: number;
  readonly bar?: string | undefined;
};

/** Counts of one text, from which F1 follows over any choice of texts. */
type Hits = { readonly right: number; readonly said: number; readonly true: number };

export function pooledF1(hits: readonly Hits[]): number | undefined {
  const sum = (key: keyof Hits) => hits.reduce((total, one) => total + one[key], 0);
  const all = sum('said') + sum('true');
  return all === 0 ? undefined : (2 * sum('right')) / all;
}

const meanF1 = (hits: readonly Hits[]): number =>
  hits.reduce((sum, one) => sum + (pooledF1([one]) ?? 0), 0) / hits.length;

const stemmed = (phrase: string): string => phrase.toLowerCase().split(/\s+/).map(porter).join(' ');

/** The ten likeliest phrases against the indexers' keyphrases, equal after Porter stemming. */
export function abstractHits({ analysis, keyphrases }: Abstract, model: Model): Hits {
  const truth = new Set(keyphrases.map(stemmed));
  const said = new Set<string>();
  for (const { occurrences } of rankPhrases(analysis, model)) {
    if (said.size >= 10) break;
    const [first] = occurrences;
    if (first === undefined) continue;
    const begin = analysis.words[first.at]?.from;
    const end = analysis.words[first.at + first.length - 1]?.to;
    said.add(stemmed(analysis.text.slice(begin, end)));
  }
  return { right: [...said].filter((one) => truth.has(one)).length, said: said.size, true: truth.size };
}

export function measureAbstracts(abstracts: readonly Abstract[], model: Model, set: string): Figure[] {
  const hits = abstracts.map((one) => abstractHits(one, model));
  const figure = (
    metric: string,
    statistic: (units: readonly Hits[]) => number | undefined,
    bar?: string,
  ): Figure => ({
    set,
    metric,
    value: statistic(hits) ?? Number.NaN,
    ...interval(hits, statistic),
    n: hits.length,
    bar,
  });
  return [figure('F1@10 pooled', pooledF1, '0.379'), figure('F1@10 mean over texts', meanF1)];
}

function interval<Unit>(units: readonly Unit[], statistic: (units: readonly Unit[]) => number | undefined) {
  const drawn = bootstrap(units, statistic, { resamples: 1000 });
  return { low: drawn?.interval.low, high: drawn?.interval.high };
}

export type Judge = (pair: MarkedPair) => readonly [claim: 1 | -1, probability: number];

/** Says of a marked pair which direction is likelier, and how likely. */
export function judgeOf(cases: readonly Prepared[], marked: Marked, more: readonly Marked[] = []): Judge {
  const claims = CLAIMS.filter(({ predicate }) => predicate === marked.predicate);
  const relations = learnRelations(cases, [marked, ...more], claims);
  return (pair) => {
    const features = markedFeatures(pair, marked.clauses);
    const likely = claimsFor(marked.clauses ? asStated(features) : features, { relations });
    const of = (forward: boolean) =>
      likely.find(([claim]) => claim.predicate === marked.predicate && claim.forward === forward)?.[1] ?? 0;
    return of(true) >= of(false) ? [1, of(true)] : [-1, of(false)];
  };
}

/** The clauses are known to be related; only the direction is predicted. */
function asStated(features: Features): Features {
  return new Map([...features].filter(([name]) => name !== 'denied' && name !== 'lessened'));
}

export function pairHits(pairs: readonly MarkedPair[], judge: Judge, threshold: number): Hits[] {
  return pairs.map((pair) => {
    const [claim, likely] = judge(pair);
    const says = likely >= threshold;
    return {
      right: says && claim === pair.truth ? 1 : 0,
      said: says ? 1 : 0,
      true: pair.truth === 0 ? 0 : 1,
    };
  });
}

/** The threshold with the best F1 on the learning part alone, by five folds. */
export function chooseThreshold(
  cases: readonly Prepared[],
  marked: Marked,
  more: readonly Marked[] = [],
  counted: (pair: MarkedPair) => boolean = () => true,
): number {
  const folds = [0, 1, 2, 3, 4].map((fold) => {
    const kept = marked.pairs.filter(({ group }) => Math.floor(group / 5) % 5 !== fold);
    const left = marked.pairs.filter(({ group }) => Math.floor(group / 5) % 5 === fold);
    return { judge: judgeOf(cases, { ...marked, pairs: kept }, more), left };
  });
  const scores = [0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6].map((threshold) => {
    const hits = folds.flatMap(({ judge, left }) => pairHits(left.filter(counted), judge, threshold));
    return { threshold, f1: pooledF1(hits) ?? 0 };
  });
  return scores.reduce((best, one) => (one.f1 > best.f1 ? one : best)).threshold;
}

/** `missing`: true relations that are no pair of one sentence; they count as missed. */
export function pairFigures(set: string, hits: readonly Hits[], missing: number, bar?: string): Figure[] {
  const all = [...hits, ...Array.from({ length: missing }, () => ({ right: 0, said: 0, true: 1 }))];
  const precision = (units: readonly Hits[]) => ratio(units, 'said');
  const recall = (units: readonly Hits[]) => ratio(units, 'true');
  const figure = (
    metric: string,
    statistic: (units: readonly Hits[]) => number | undefined,
    line?: string,
  ): Figure => ({
    set,
    metric,
    value: statistic(all) ?? Number.NaN,
    ...interval(all, statistic),
    n: all.filter((one) => one.true > 0).length,
    bar: line,
  });
  return [figure('F1', pooledF1, bar), figure('precision', precision), figure('recall', recall)];
}

function ratio(hits: readonly Hits[], of: 'said' | 'true'): number | undefined {
  const base = hits.reduce((sum, one) => sum + one[of], 0);
  return base === 0 ? undefined : hits.reduce((sum, one) => sum + one.right, 0) / base;
}

const BARS: Readonly<Record<string, string>> = {
  concept_recall: '0.70',
  concept_precision: '0.65',
  relationship_accuracy: '0.60',
  provenance_coverage: '0.90',
  hallucination_rate: 'at most 0.02',
};

/** Each golden case as the product reads it, with weights learnt without it; the product's own metrics. */
export async function measureGolden(
  cases: readonly GoldenCase[],
): Promise<{ figures: Figure[]; evidence: CaseEvidence[] }> {
  const extractor = localExtractor();
  const evidence: CaseEvidence[] = [];
  for (const golden of cases) {
    const task = { id: golden.id, text: golden.sourceText, trial: 1 };
    const output = await extractor.extract(task, new AbortController().signal);
    const examined = await examineTrials(golden, [output]);
    if ('error' in examined) throw new Error(examined.error);
    evidence.push(examined.evidence);
  }
  return { figures: goldenFigures('golden, left out one by one', evidence), evidence };
}

export function goldenFigures(set: string, evidence: readonly CaseEvidence[]): Figure[] {
  return decompositionMetrics(OVERALL_WEIGHTS).flatMap(({ id, compute }) => {
    const measured = compute(evidence);
    if (!measured.measured) return [];
    const metric = metricKey(id);
    return [
      {
        set,
        metric,
        value: measured.value,
        low: measured.low,
        high: measured.high,
        n: measured.n,
        bar: BARS[metric],
      },
    ];
  });
}

/** How many cases meet every line individually. */
export function casesThatPass(evidence: readonly CaseEvidence[]): number {
  return evidence.filter((one) =>
    goldenFigures('', [one]).every(({ value, bar }) => {
      if (bar === undefined) return true;
      const line = Number(bar.replace('at most ', ''));
      return bar.startsWith('at most') ? value <= line : value >= line;
    }),
  ).length;
}
