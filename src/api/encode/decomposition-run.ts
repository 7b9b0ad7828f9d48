/** A run of a suite as programs read it and as a baseline keeps it: a run, and what decomposition adds to it. */
import type { z } from 'zod';
import type { CaseEvidence, TrialEvidence } from '../../decomposition/evidence.ts';
import type { RunFacts, SuiteRun } from '../../decomposition/suite-run.ts';
import type { OwnStandard } from '../../judge/gate.ts';
import type { JudgedMetric } from '../../judge/verdict.ts';
import { metricKey } from '../../measure/metric.ts';
import type { decompositionRun } from '../schema/decomposition-run.ts';
import { encodeComparison } from './comparison.ts';
import { encodeMetrics } from './measurement.ts';
import { type StreamedRun, streamRun } from './run.ts';

export type DecompositionRunWire = z.infer<typeof decompositionRun>;
type Lists = z.infer<typeof decompositionRun>['cases'][number];

/** `notes`: what has to be said beside the numbers; those of the verdict where nothing else is. */
export function encodeSuiteRun(
  run: SuiteRun,
  notes: readonly string[] = run.verdict.notes,
): DecompositionRunWire {
  const streamed = streamSuiteRun(run, notes);
  return { ...streamed, cases: [...streamed.cases] } as DecompositionRunWire;
}

/** The same with cases that are made one by one; they can be read once. */
export function streamSuiteRun(run: SuiteRun, notes: readonly string[]): StreamedRun {
  const { verdict, facts, evidence, levels, regression } = run;
  const usage = run.reading?.usage ?? {};
  const failed = new Set(verdict.cases.flatMap((one) => (one.failed ? [one.id] : [])));
  return streamRun(
    { ...verdict, notes },
    {
      run: encodeNames(facts),
      suite: {
        n_case_failures: failed.size,
        ...(run.reading?.drafts && { drafts: [...run.reading.drafts] }),
        ...(verdict.standard && { yours: encodeStandard(verdict.standard, verdict.metrics) }),
        ...(usage.costUsd && { cost_usd: withMean(usage.costUsd) }),
        ...(usage.latencyMs && { latency_ms: withMean(usage.latencyMs) }),
        ...(levels && {
          at_match_level: Object.fromEntries(
            Object.entries(levels).map(([level, metrics]) => [level, encodeMetrics(metrics)]),
          ),
        }),
      },
      case: (id) => ({
        failed: failed.has(id),
        ...(evidence !== undefined && listsOf(evidence.get(id))),
      }),
      ...(regression &&
        verdict.comparison && { comparison: encodeComparison(verdict.comparison, regression) }),
    },
  );
}

function encodeStandard({ leftOut, says }: OwnStandard, metrics: readonly JudgedMetric[]) {
  return {
    left_out: metrics.filter(({ title }) => leftOut.includes(title)).map(({ id }) => metricKey(id)),
    lines: Object.fromEntries(
      metrics.flatMap(({ id, zones, documented }) =>
        zones === undefined || documented === undefined
          ? []
          : [[metricKey(id), { yours: zones, documented }]],
      ),
    ),
    says: [...says],
  };
}

/** What was run. */
export function encodeNames({ extractor, prompt, promptHash, model, matchLevel, content }: RunFacts) {
  return {
    extractor,
    prompt: prompt ?? null,
    prompt_sha256: promptHash ?? null,
    model: model ?? null,
    match_level: matchLevel,
    content_sha256: content,
  };
}

function withMean({ sum, n }: { readonly sum: number; readonly n: number }) {
  return { sum, mean: sum / n, n };
}

/** A case with repeats lists what any of them showed; `trials` tells them apart. */
function listsOf(evidence: CaseEvidence | undefined): Partial<Lists> {
  const trials = (evidence?.trials ?? []).map(trialLists);
  const answered = trials.filter(({ error }) => error === undefined);
  // That a failed trial missed everything says nothing about what the others missed.
  const told = answered.length > 0 ? answered : trials;
  const all = <T>(list: (trial: ReturnType<typeof trialLists>) => readonly T[]) =>
    distinct(told.flatMap(list));
  return {
    matches: all((trial) => trial.matches),
    missed: all((trial) => trial.missed),
    extra: all((trial) => trial.extra),
    canaries: all((trial) => trial.canaries),
    forbidden_relationships: all((trial) => trial.forbidden_relationships),
    flaws: all((trial) => trial.flaws),
    ...(trials.length > 1 && { trials }),
  };
}

function trialLists({ concepts, expected, relationships, failed }: TrialEvidence) {
  return {
    matches: concepts.flatMap(({ label, match }) => (match === undefined ? [] : [{ label, ...match }])),
    missed: expected.filter((concept) => concept.found === undefined).map((concept) => concept.label),
    extra: concepts.filter(({ match, canary }) => !match && canary === undefined).map(({ label }) => label),
    canaries: concepts.flatMap(({ canary }) => canary ?? []),
    forbidden_relationships: relationships
      .filter((edge) => edge.forbidden === true)
      .map(({ source, target, predicate }) => ({ source, target, predicate })),
    flaws: [
      ...concepts.flatMap(({ label, flaw }) => (flaw === undefined ? [] : [`${label} (${flaw})`])),
      ...relationships.flatMap(({ source, predicate, target, flaw }) =>
        flaw === undefined ? [] : [`${source} ${predicate} ${target} (${flaw})`],
      ),
    ],
    ...(failed !== undefined && { error: failed }),
  };
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
