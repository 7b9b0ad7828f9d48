/** The golden cases, measured and judged: what `run`, `baseline`, `compare` and `prompt promote` share. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { decompositionMetrics } from '../../decomposition/catalog.ts';
import { type CaseEvidence, MATCH_LEVELS, type MatchLevel } from '../../decomposition/evidence.ts';
import { appendHistory, HISTORY_FILE, historyEntry, readHistory } from '../../decomposition/history.ts';
import { explainOverall, gatePolicy, REGRESSION_POLICY } from '../../decomposition/policy.ts';
import { type RunExtras, type RunFacts, type RunJson, runJson } from '../../decomposition/run-json.ts';
import { scorerWith } from '../../decomposition/scorer.ts';
import { type JudgedMetric, judgeMetrics, type Verdict } from '../../judge/verdict.ts';
import { measureAll, measureCases } from '../../measure/measure.ts';
import type { Metric } from '../../measure/metric.ts';
import { assess, type RunStore } from '../../pipeline.ts';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import type { Arguments, Terminal } from '../command.ts';
import { readSettings, type Settings } from '../settings.ts';
import { OUTPUTS_WITH_WORDS } from './collect-cases.ts';
import { type Baseline, type Candidate, type Held, holdAgainst } from './hold-against.ts';
import { ingestRun, type RunInput, SEMANTIC_REMEDY } from './ingest-run.ts';
import { textOf } from './run-options.ts';

export type MeasuredRun = {
  readonly verdict: Verdict;
  readonly extras: RunExtras;
  readonly next: readonly string[];
  /** Made when it is asked for: of thousands of cases it is large. */
  readonly json: () => RunJson;
};

export async function measureRun(
  args: Arguments,
  terminal: Terminal,
  options: { readonly baseline?: Baseline; readonly next: readonly string[] },
): Promise<MeasuredRun> {
  const settings = await readSettings(args, terminal);
  const history = historyPath(args, terminal);
  // A history that cannot be added to is said before anything is spent on the run.
  if (history !== undefined) readHistory(history);
  const matchLevel = matchLevelOf(args, settings);
  const { model } = settings.config.decomposition;
  const input = await ingestRun(args, terminal, { matchLevel, model });
  const store = await openStore(settings.store.address);
  try {
    const run = prepare(input, matchLevel, settings);
    const { gated } = gatePolicy(settings.config.decomposition.overallScale);
    const held =
      options.baseline && holdAgainst(run.metrics, sideNow(run), options.baseline, gated, args, terminal);
    const kept = input.withWords ? store : withoutEvidence(store);
    const { verdict: judged } = await assess({ ...run, policy: policyOf(settings, held) }, kept);
    const notes = [...judged.notes, ...(held?.notes ?? []), ...notesOn(input)];
    const verdict = { ...judged, notes };
    await held?.keepApprovals(store);
    const extras = extrasOf(verdict, run, input, matchLevel, held);
    const facts = factsOf(input, matchLevel);
    if (history !== undefined) await appendHistory(history, historyEntry(verdict, facts));
    return { verdict, extras, next: options.next, json: () => runJson(verdict, facts, extras) };
  } finally {
    await store.close();
  }
}

/** Thousands of outputs without their words are counts, and those are in the measurements. */
function withoutEvidence(store: Store): RunStore {
  return {
    series: (query) => store.series(query),
    appendAlerts: (alerts) => store.appendAlerts(alerts),
    appendRuns: (runs) =>
      store.appendRuns(
        runs.map((run) => ({ ...run, cases: run.cases.map(({ evidence: _, ...one }) => one) })),
      ),
  };
}

function historyPath(args: Arguments, terminal: Terminal): string | undefined {
  if (args.values['no-history'] === true) return undefined;
  return resolve(terminal.cwd, textOf(args, 'history') ?? HISTORY_FILE);
}

function matchLevelOf(args: Arguments, { config }: Settings): MatchLevel {
  return (textOf(args, 'match-level') as MatchLevel | undefined) ?? config.decomposition.matchLevel;
}

function prepare({ cases, truthHash, subject }: RunInput, matchLevel: MatchLevel, { config }: Settings) {
  const { weights } = config.decomposition;
  return {
    subject: {
      instrument: 'decomposition',
      subject,
      runId: randomUUID(),
      at: new Date().toISOString(),
      scorer: scorerWith(weights, matchLevel),
    },
    metrics: decompositionMetrics(weights),
    cases,
    truthHash,
    ingest: async () => ({ cases, truthHash }),
  };
}

/** What the judge will see, for whoever has to know before. */
function sideNow({ subject, metrics, cases, truthHash }: ReturnType<typeof prepare>): Candidate {
  const measured = measureCases(metrics, cases);
  const errored = cases.flatMap((one) => ('error' in one ? [one.id] : []));
  return { ...subject, truthHash, errored, metrics: measured.suite, cases: measured.perCase };
}

export function policyOf({ config }: Settings, held: Held | undefined) {
  const { weights, overallScale } = config.decomposition;
  return {
    gate: gatePolicy(overallScale),
    compare: REGRESSION_POLICY,
    explain: (metrics: readonly JudgedMetric[]) => explainOverall(metrics, weights, overallScale),
    ...(held && { baseline: held.side, approve: () => held.approvals, insist: held.insist }),
  };
}

function factsOf({ extractor, prompt, promptHash, model }: RunInput, matchLevel: MatchLevel): RunFacts {
  return {
    extractor,
    matchLevel,
    ...(prompt !== undefined && { prompt }),
    ...(promptHash !== undefined && { promptHash }),
    ...(model !== undefined && { model }),
  };
}

function extrasOf(
  verdict: Verdict,
  { metrics, cases }: ReturnType<typeof prepare>,
  input: RunInput,
  matchLevel: MatchLevel,
  held: Held | undefined,
): RunExtras {
  const examined = cases.flatMap((one) => ('evidence' in one ? [[one.id, one.evidence] as const] : []));
  return {
    ...(input.withWords && { evidence: new Map(examined) }),
    ...(input.semantic === 'measured' &&
      examined.length > 0 && { levels: byLevel(verdict, metrics, input, matchLevel) }),
    ...(held && { caseChanges: held.caseChanges, action: held.action }),
  };
}

/** The suite at each level that is shown, from strict to loose; that of the gate is known already. */
function byLevel(
  verdict: Verdict,
  metrics: readonly Metric<CaseEvidence>[],
  { otherLevels }: RunInput,
  matchLevel: MatchLevel,
): Record<string, readonly JudgedMetric[]> {
  return Object.fromEntries(
    MATCH_LEVELS.flatMap((level) => {
      const evidence = otherLevels.get(level);
      if (level === matchLevel) return [[level, verdict.metrics]];
      return evidence === undefined ? [] : [[level, judgeMetrics(metrics, measureAll(metrics, evidence))]];
    }),
  );
}

function notesOn({ semantic, withWords, notes }: RunInput): string[] {
  return [
    ...notes,
    ...(semantic !== 'not installed'
      ? []
      : [
          `What semantic matching would add was not measured: the offline model is not installed. ${SEMANTIC_REMEDY}`,
        ]),
    ...(withWords
      ? []
      : [`More than ${OUTPUTS_WITH_WORDS} outputs: the store keeps their numbers, not their words.`]),
  ];
}
