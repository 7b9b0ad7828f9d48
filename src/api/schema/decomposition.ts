import { z } from 'zod';
import { caseLists, graphEdges, missedConcepts } from '../../decomposition/case-lists.ts';
import type { ExtractedConcept, QuoteCheck, TrialEvidence } from '../../decomposition/evidence.ts';
import type { GoldenDraft } from '../../decomposition/golden/draft-case.ts';
import type { GoldenFinding } from '../../decomposition/golden/lint-case.ts';
import type { GoldenLint } from '../../decomposition/golden/lint-suite.ts';
import type { SuiteTrends, TrendView } from '../../decomposition/history.ts';
import { type ResultValues, valuesHash } from '../../decomposition/integrity.ts';
import type { Investigated, Investigation } from '../../decomposition/investigate/findings.ts';
import type { ReadCase, RunFacts, SuiteRun } from '../../decomposition/suite-run.ts';
import type { Gate, OwnStandard } from '../../judge/gate.ts';
import type { JudgedMetric } from '../../judge/verdict.ts';
import { metricKey } from '../../measure/metric.ts';
import type { Action } from '../../report/action.ts';
import { type ApprovalRecord, approvalRecord } from '../../store/schema/records.ts';
import type { RunSummary } from '../../store/store.ts';
import { from, wireShape } from '../wire.ts';
import { action, byKey, head, judgedMetrics, measurement, pageOf } from './parts.ts';
import { caseResult, comparison, run } from './run.ts';

const level = z.enum(['exact', 'normalised', 'alias', 'acronym', 'semantic']);

const zones = z.object({ fail: z.number(), target: z.number(), excellent: z.number() });

const lists = {
  matches: z
    .array(
      z.object({
        label: z.string(),
        expected: z.string(),
        level,
        duplicate: z.literal(true).optional().describe('Another one is credited with that concept already'),
        similarity: z.number().optional(),
      }),
    )
    .describe('What was extracted and stands for an expected concept'),
  missed: z.array(z.string()),
  extra: z.array(z.string()).describe('Extracted, and neither expected nor forbidden'),
  canaries: z.array(z.string()).describe('Forbidden concepts that were extracted'),
  forbidden_relationships: z.array(
    z.object({ source: z.string(), target: z.string(), predicate: z.string() }),
  ),
  flaws: z
    .array(z.string())
    .describe('What could not be read and counts as wrong, with what is wrong with it'),
};

/** A case with the number of its outputs: what they found, missed and invented. */
export const decompositionCase = caseResult.extend({
  failed: z.boolean().optional().describe('A metric of it is in the fail zone'),
  ...z.object(lists).partial().shape,
  trials: z
    .array(z.object({ ...lists, error: z.string().optional().describe('Why it gave no answer') }))
    .optional()
    .describe('Of repeats: each one alone'),
});

const amount = z.object({
  sum: z.number(),
  mean: from(({ sum, n }: { readonly sum: number; readonly n: number }) => sum / n, z.number()),
  n: z.number().describe('Outputs that say it'),
});

/** What was run. */
const names = {
  extractor: z.string().describe('local, llm, command or recorded'),
  prompt: z.string().nullable(),
  prompt_sha256: from('promptHash', z.string().nullable().describe('Of the text that was sent')),
  prompt_files: from(
    'promptFiles',
    z
      .record(z.string(), z.string())
      .optional()
      .describe('All prompts of the project at that time: name and SHA-256'),
  ),
  model: z.string().nullable(),
  content_sha256: from(
    'content',
    z.string().optional().describe('Of what was measured: what an approval is bound to'),
  ),
  match_level: level.describe('The loosest match that counts'),
};

type Standard = OwnStandard & { readonly metrics: readonly JudgedMetric[] };

const ownStandard = z.object({
  left_out: from(
    ({ leftOut, metrics }: Standard) =>
      metrics.filter(({ title }) => leftOut.includes(title)).map(({ id }) => metricKey(id)),
    z.array(z.string()).describe('Metrics that the documented standard gates and yours does not'),
  ),
  lines: from(
    ({ metrics }: Standard) =>
      Object.fromEntries(
        metrics.flatMap(({ id, zones: yours, documented }) =>
          yours === undefined || documented === undefined ? [] : [[metricKey(id), { yours, documented }]],
        ),
      ),
    z.record(z.string(), z.object({ yours: zones, documented: zones.nullable() })),
  ),
  says: z.array(z.string()),
});

/** `notes`: limits of the numbers; by default those of the verdict. */
type NotedRun = SuiteRun & { readonly notes?: readonly string[] };

function valuesOf({ validity, metrics, cases }: SuiteRun['verdict']): ResultValues {
  const byId = (judged: readonly JudgedMetric[]) =>
    Object.fromEntries(judged.map(({ id, measurement: one }) => [id, one]));
  return {
    runId: validity.runId,
    metrics: byId(metrics),
    cases: Object.fromEntries(
      cases.flatMap((one) => (one.metrics.length === 0 ? [] : [[one.id, byId(one.metrics)]])),
    ),
  };
}

const suiteRun = run.extend({
  run: from(
    ({ verdict, facts }: NotedRun) => ({
      ...verdict.validity,
      ...facts,
      instrument: verdict.instrument,
      subject: verdict.subject,
    }),
    run.shape.run.extend(names),
  ),
  suite: from(
    ({ verdict, reading, levels }: NotedRun) => ({ ...verdict, reading, levels }),
    run.shape.suite.extend({
      cost_usd: from(
        ({ reading }: Pick<SuiteRun, 'reading'>) => reading?.usage.costUsd,
        amount.optional().describe('What the outputs say they cost'),
      ),
      latency_ms: from(
        ({ reading }: Pick<SuiteRun, 'reading'>) => reading?.usage.latencyMs,
        amount.optional().describe('What the outputs say they took'),
      ),
      yours: from(
        ({ standard, metrics }: SuiteRun['verdict']) => standard && { ...standard, metrics },
        ownStandard.optional().describe('What of the standard is your own'),
      ),
      values_sha256: from(
        (verdict: SuiteRun['verdict']) => valuesHash(valuesOf(verdict)),
        z.string().optional().describe('Of all values: a result that was changed by hand is seen'),
      ),
      integrity: from(
        ({ reading }: Pick<SuiteRun, 'reading'>) => reading?.integrity,
        z.array(z.string()).optional().describe('Why the numbers prove nothing'),
      ),
      golden_versions: from(
        ({ reading }: Pick<SuiteRun, 'reading'>) => reading?.goldenVersions,
        z
          .record(z.string(), z.object({ version: z.string(), sha256: z.string() }))
          .optional()
          .describe('Each golden case with its version and the hash of its content'),
      ),
      drafts: from(
        ({ reading }: Pick<SuiteRun, 'reading'>) => reading?.drafts,
        z.array(z.string()).optional().describe('Golden cases that nobody has corrected yet'),
      ),
      n_case_failures: from(
        ({ cases }: SuiteRun['verdict']) => cases.filter(({ failed }) => failed).length,
        z.number().optional().describe('Cases with a metric in the fail zone'),
      ),
      at_match_level: from(
        ({ levels }: Pick<SuiteRun, 'levels'>) =>
          levels &&
          Object.fromEntries(Object.entries(levels).map(([name, metrics]) => [name, byKey(metrics)])),
        z.record(z.string(), judgedMetrics).optional().describe('The same outputs at other match levels'),
      ),
    }),
  ),
  cases: from(
    ({ verdict, evidence }: NotedRun) =>
      verdict.cases.values().map((one) => ({
        ...one,
        failed: one.failed === true,
        ...(evidence && caseLists(evidence.get(one.id))),
      })),
    z.array(decompositionCase),
  ),
  comparison: from(
    ({ verdict, regression }: NotedRun) => verdict.comparison && { ...verdict.comparison, ...regression },
    comparison.optional(),
  ),
  gate: from(({ verdict }: NotedRun) => verdict.gate, run.shape.gate),
  trends: from(({ verdict }: NotedRun) => verdict.trends, run.shape.trends),
  notes: from(({ verdict, notes }: NotedRun) => notes ?? verdict.notes, run.shape.notes),
});

/** One run of the golden cases. */
export const decompositionRun = suiteRun.extend({
  baseline: z.string().optional().describe('The file that this run was saved in as the baseline'),
});

const kept = z.looseObject({ value: z.number().nullable(), n: z.number() });

/** A run as a baseline: its numbers, without the findings of each case. */
export const decompositionResult = z.object({
  format: decompositionRun.shape.format,
  version: decompositionRun.shape.version,
  run: decompositionRun.shape.run,
  suite: z.object({
    truth_hash: z.string().nullable(),
    n_cases: z.number(),
    drafts: z.array(z.string()).optional(),
    values_sha256: z.string().optional(),
    integrity: z.array(z.string()).optional(),
    golden_versions: z.record(z.string(), z.object({ version: z.string(), sha256: z.string() })).optional(),
    metrics: z.record(z.string(), kept),
  }),
  cases: z.array(
    z.object({
      id: z.string(),
      error: z.string().optional(),
      zone: z.string().nullable().optional(),
      metrics: z.record(z.string(), kept),
    }),
  ),
});

/** A stored run and how it was judged. */
export type ListedRun = Omit<RunSummary, 'metrics' | 'verdict' | 'facts'> & {
  readonly metrics: readonly JudgedMetric[];
  readonly gate: Gate;
  /** What was run, where the instrument says so. */
  readonly names?: RunFacts;
};

type Named = Pick<ListedRun, 'names'>;

/** A run as a list shows it: without its cases. */
export const runSummary = z.object({
  format: run.shape.format,
  version: run.shape.version,
  run: from(
    ({ judgement, names: facts, ...own }: ListedRun) => ({
      ...own,
      standard: judgement?.standard,
      names: facts,
    }),
    run.shape.run.extend({
      extractor: from(({ names: own }: Named) => own?.extractor, names.extractor.optional()),
      prompt: from(({ names: own }: Named) => own && (own.prompt ?? null), names.prompt.optional()),
      prompt_sha256: from(
        ({ names: own }: Named) => own && (own.promptHash ?? null),
        z.string().nullable().optional().describe('Of the text that was sent'),
      ),
      model: from(({ names: own }: Named) => own && (own.model ?? null), names.model.optional()),
      content_sha256: from(
        ({ names: own }: Named) => own?.content,
        z.string().optional().describe('Of what was measured: what an approval is bound to'),
      ),
      match_level: from(({ names: own }: Named) => own?.matchLevel, names.match_level.optional()),
    }),
  ),
  suite: from(
    (one: ListedRun) => one,
    z.looseObject({
      truth_hash: z.string().nullable().describe('Hash of the golden set or ground truth'),
      n_cases: from('caseCount', z.number()),
      metrics: run.shape.suite.shape.metrics,
    }),
  ),
  gate: run.shape.gate,
});

/** Runs, newest first. */
export const runList = pageOf('assay-run-list', runSummary);

const approval = wireShape(approvalRecord.shape);

/** Regressions that a user approved or gave a reason for, newest first. */
export const approvalList = pageOf(
  'assay-approval-list',
  z.object({
    id: from('approvalId', approval.approval_id),
    run_id: approval.run_id,
    baseline_run_id: approval.baseline_run_id,
    metric: from(
      ({ metric }: Pick<ApprovalRecord, 'metric'>) => metricKey(metric),
      z.string().describe('Its key'),
    ),
    reason: approval.reason,
    who: approval.who,
    at: approval.at,
  }),
);

/** Which missed and extra concepts of a run are the same, by a model and by people. */
export const decompositionSynonyms = z.object({
  ...head('assay-decomposition-synonyms'),
  run_id: z.string(),
  model: z.string().nullable(),
  agreement: measurement.describe('Cohen’s kappa of the model and people'),
  counts: z.boolean().describe('The model counts where people said nothing'),
  recall: measurement,
  with_synonyms: measurement.describe('Recall with the pairs that count as the same'),
  pairs: z.array(
    z.object({
      case_id: z.string(),
      expected: z.string(),
      extracted: z.string(),
      model: z.number().nullable().describe('1 the same, 0 different'),
      people: z.number().nullable().describe('The mean of people’s last words'),
    }),
  ),
  failed: z.array(z.string()).describe('Cases that the model gave no usable answer for'),
});

const point = z.object({
  at: z.string(),
  value: z.number(),
  run_id: z.string().optional(),
  week: z.string().optional().describe('ISO week; then the value is the mean of its runs'),
  runs: z.number().optional(),
});

/** How the metrics of the gate moved. */
export const decompositionTrend = z.object({
  ...head('assay-decomposition-trend'),
  weekly: z.boolean(),
  series: from(
    ({ views }: SuiteTrends) => views.map(({ series, ...view }) => ({ ...series, ...view })),
    z.array(
      z.object({
        subject: z.string(),
        extractor: z.string(),
        prompt: z.string().nullable(),
        truth_hash: from('golden_hash', z.string().nullable()),
        scorer: z.string(),
        n_runs: from(({ runs }: TrendView['series']) => runs.length, z.number()),
        metrics: from(
          ({ trends, points }: Omit<TrendView, 'series'>) =>
            Object.fromEntries(
              trends.map((trend) => [
                metricKey(trend.metric),
                { ...trend, points: points.get(trend.metric) ?? [] },
              ]),
            ),
          z.record(
            z.string(),
            z.object({ declines: z.number(), alert: z.boolean(), points: z.array(point) }),
          ),
        ),
      }),
    ),
  ),
});

/** A line of `--format jsonl`: one run or week. */
export const decompositionTrendRow = z.object({
  subject: z.string(),
  at: z.string().describe('When it was measured, or the ISO week'),
  runs: z.number(),
  metrics: z.record(z.string(), z.number()),
});

/** Oldest first, with every metric by its key. */
export const trendRows = from(rowsOf, z.array(decompositionTrendRow));

function rowsOf({ views, metrics }: SuiteTrends): z.infer<typeof decompositionTrendRow>[] {
  return views.flatMap(({ series: { subject }, points }) => {
    const byTime = new Map<string, z.infer<typeof decompositionTrendRow>>();
    for (const { id } of metrics) {
      for (const { at, value, week, runs } of points.get(id) ?? []) {
        const row = byTime.get(at) ?? { subject, at: week ?? at, runs: runs ?? 1, metrics: {} };
        byTime.set(at, { ...row, metrics: { ...row.metrics, [metricKey(id)]: value } });
      }
    }
    return [...byTime].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  });
}

/** How extraction went, of golden cases or in production. */
export const extractionFigures = {
  concepts: measurement,
  relationships: measurement,
  confidence: measurement,
  latency_p50_ms: from('latencyP50', measurement),
  latency_p95_ms: from('latencyP95', measurement),
  latency_p99_ms: from('latencyP99', measurement),
  cost_usd: measurement,
  total_cost_usd: measurement,
};

const activityFigures = {
  runs: z.number(),
  outputs: z.number(),
  error_rate: measurement.describe('Share of the outputs that gave nothing to measure'),
  ...extractionFigures,
  concepts: measurement.describe('Mean number per output'),
  relationships: measurement.describe('Mean number per output'),
  confidence: measurement.describe('Mean over concepts that say it'),
  cost_usd: measurement.describe('Mean over outputs that say it'),
  verified_quotes: from('verified', measurement.describe('Share of the quotes that stand in the text')),
};

const bucket = z.object({ at: z.iso.datetime().describe('Its beginning, UTC'), ...activityFigures });

/** How extraction went: errors, latency, cost and yield, over the outputs of stored runs. */
export const decompositionActivity = z.object({
  ...head('assay-decomposition-activity'),
  whole: z.object(activityFigures),
  hours: z.array(bucket),
  days: z.array(bucket),
  confidences: z.array(z.number()).describe('Concepts with a confidence of 0–0.1, 0.1–0.2 and so on'),
  without_evidence: z.number().describe('Runs that kept only their numbers'),
  partial: z.boolean().describe('There are older runs that were not looked at'),
});

const quote = z.object({
  state: z.enum(['none', 'verified', 'not in the text', 'too short']),
  unnamed: z
    .enum(['too long', 'elsewhere'])
    .optional()
    .describe(
      'Why a verified quote does not name its concept: more than two sentences, or about something else',
    ),
  from: from(
    (one: QuoteCheck) => (one.state === 'verified' ? one.at[0] : undefined),
    z.number().optional().describe('Offset in the text, of a verified one'),
  ),
  to: from((one: QuoteCheck) => (one.state === 'verified' ? one.at[1] : undefined), z.number().optional()),
});

const concept = z.object({
  label: z.string(),
  expected: z.string().optional().describe('The expected concept that it stands for'),
  level: level.optional(),
  duplicate: z.literal(true).optional().describe('Another one is credited with that concept already'),
  similarity: z.number().optional(),
  canary: z.string().optional().describe('The forbidden concept that it is'),
  confidence: z.number().optional(),
  flaw: z.string().optional(),
  unmentioned: z.literal(true).optional().describe('The text does not mention it'),
  quote,
});

const edge = z.object({
  source: z.string(),
  target: z.string(),
  predicate: z.string(),
  state: z.enum(['right', 'wrong', 'missing', 'forbidden']),
  from: z.string().describe('The concept of the graph that it begins at: the expected one where it is known'),
  to: z.string(),
  duplicate: z.literal(true).optional(),
  required: z.boolean().optional().describe('Of a missing one'),
  flaw: z.string().optional(),
});

/** One case of a stored run: what was found, missed and invented, with the text. */
export const decompositionCaseStory = z.object({
  ...head('assay-decomposition-case-story'),
  run: from(
    ({ validity, names: facts, subject }: ReadCase) => ({ ...validity, ...facts, subject }),
    z.object({
      id: from('runId', z.string()),
      at: z.string(),
      subject: z.string(),
      truth_hash: z.string().nullable(),
      prompt: z.string().nullable(),
      model: z.string().nullable(),
    }),
  ),
  case: from(
    ({ judged }: ReadCase) => ({ ...judged, failed: judged.failed === true }),
    caseResult.extend({ failed: z.boolean() }),
  ),
  text: z.discriminatedUnion('state', [
    z.object({
      state: z.literal('here'),
      topic: z.string(),
      domain: z.string(),
      text: z.string(),
      citation: z.string().nullable(),
      as_measured: z
        .boolean()
        .describe('False: the golden cases have changed since, so places in the text may be wrong'),
    }),
    z.object({ state: z.literal('absent'), why: z.string() }),
  ]),
  trials: from(
    ({ evidence }: ReadCase) => evidence?.trials ?? [],
    z
      .array(
        z.object({
          error: from('failed', z.string().optional().describe('Why it gave no answer')),
          latency_ms: z.number().optional(),
          cost_usd: z.number().optional(),
          concepts: from(
            ({ concepts }: { readonly concepts: readonly ExtractedConcept[] }) =>
              concepts.map(({ match, ...one }) => ({ ...one, ...match })),
            z.array(concept),
          ),
          missed: from(
            ({ expected }: TrialEvidence) => missedConcepts(expected),
            z.array(z.object({ label: z.string(), required: z.boolean() })),
          ),
          relationships: from((trial: TrialEvidence) => graphEdges(trial), z.array(edge)),
          fields: z
            .array(
              z.object({
                name: z.string(),
                type: z.string().nullable().describe('null: the case states no such field'),
                required: z.boolean().optional(),
                expected: z.string().nullable(),
                said: z.string().nullable().describe('null: it was not extracted'),
                right: z.number().describe('Values that are right; a list has several'),
                exact: z.number().optional(),
                given: z.number(),
                wanted: z.number(),
              }),
            )
            .optional()
            .describe('Only where the case states fields'),
        }),
      )
      .describe('One for each output; none where only the numbers were kept'),
  ),
});

export const goldenFinding = z.object({
  file: z.string().nullable().describe('null: it concerns the whole suite'),
  rule: z.string(),
  place: z.string(),
  message: z.string(),
  severity: from(
    ({ warning }: GoldenFinding) => (warning ? 'warning' : 'error'),
    z.enum(['error', 'warning']),
  ),
});

/** What the lint of a folder of golden cases says. */
export const goldenLint = z.object({
  ...head('assay-golden-lint'),
  folder: z.string(),
  n_cases: from('cases', z.number()),
  domains: from(
    ({ domains }: GoldenLint) => Object.fromEntries(domains.map(({ domain, cases }) => [domain, cases])),
    z.record(z.string(), z.number()),
  ),
  drafts: z.array(z.string()).describe('Cases that nobody has corrected yet'),
  findings: z.array(goldenFinding),
});

/** Golden cases that were drafted in bulk. */
export const goldenImport = z.object({
  ...head('assay-golden-import'),
  folder: z.string(),
  drafted: z.array(z.object({ id: z.string(), path: z.string(), where: z.string(), findings: z.number() })),
  skipped: z.array(z.object({ where: z.string(), why: z.string() })),
  left: z.number().describe('Texts beyond the limit'),
});

/** A golden case that was proposed and written. */
export const goldenDraft = z.object({
  ...head('assay-golden-draft'),
  path: z.string(),
  id: from(({ golden }: GoldenDraft) => golden.id, z.string()),
  n_concepts: from(({ golden }: GoldenDraft) => golden.expectedConcepts.length, z.number()),
  n_relationships: from(({ golden }: GoldenDraft) => golden.expectedRelationships.length, z.number()),
  n_canaries: from(({ golden }: GoldenDraft) => golden.forbiddenConcepts.length, z.number()),
  findings: z.array(goldenFinding.omit({ file: true })).describe('What lint still asks for'),
});

/** A line of an extraction of several texts: the output of one, or why it has none, in the order of the input. */
export const extractionLine = z
  .looseObject({
    id: z.union([z.string(), z.number()]).optional().describe('As the input wrote it'),
    trial: z.number().optional().describe('With repeats: which one'),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        line: z.number().optional().describe('Of the batch'),
      })
      .optional(),
    note: z.string().optional().describe('Why there is no concept'),
    concepts: z.array(z.looseObject({ label: z.string() })).optional(),
    relationships: z.array(z.looseObject({ source: z.string(), target: z.string() })).optional(),
  })
  .refine(
    ({ error, concepts }) => (error === undefined) !== (concepts === undefined),
    'an output, or an error',
  );

const texts = z.array(z.string());

const passage = z.object({
  from: z.number().describe('Offset in the source text'),
  to: z.number(),
  text: z.string(),
  sentence: z.string(),
});

const edgeOf = { source: z.string(), target: z.string(), predicate: z.string() };

/** `plan`: the steps that show whether a fix works. */
type Planned = { readonly plan: readonly { readonly what: string; readonly action: Action }[] };

function keysIn({ gated }: Investigation, zone: string): string[] {
  return gated.filter((metric) => metric.zone === zone).map(({ id }) => metricKey(id));
}

const investigatedCase = z.object({
  id: z.string(),
  prompt_version: z.string(),
  failing: from((one: Investigation) => keysIn(one, 'fail'), texts.describe('Metrics in the fail zone')),
  below_target: from((one: Investigation) => keysIn(one, 'below target'), texts),
  runs: from(({ findings }: Investigation) => findings.runs, z.number()),
  totals: from(
    ({ findings }: Investigation) => findings.totals,
    z
      .object({
        expected: z.number(),
        extracted: z.number(),
        expected_relationships: z.number(),
        extracted_relationships: z.number(),
      })
      .describe('Over all runs together'),
  ),
  metrics: from(({ metrics }: Investigation) => byKey(metrics), judgedMetrics),
  missed: from(
    ({ findings }: Investigation) => findings.missed,
    z.array(
      z.object({
        label: z.string(),
        required: z.boolean(),
        kind: z.string(),
        runs: z.number(),
        name: z.string().optional().describe('The label or alias under which the text has it'),
        passage: passage.optional(),
        nearest: z.object({ label: z.string(), why: z.string() }).optional(),
      }),
    ),
  ),
  unexpected: from(
    ({ findings }: Investigation) => findings.extras,
    z.array(
      z.object({
        label: z.string(),
        kind: z.string(),
        count: z.number(),
        runs: z.number(),
        canary: z.string().optional(),
        near: z.object({ expected: z.string(), level: z.string().optional(), why: z.string() }).optional(),
        passage: passage.optional(),
        mention: z.enum(['stated', 'implied', 'absent']),
      }),
    ),
  ),
  duplicates: from(
    ({ findings }: Investigation) => findings.duplicates,
    z.array(z.object({ expected: z.string(), labels: texts, count: z.number() })),
  ),
  wrong_relationships: from(
    ({ findings }: Investigation) => findings.relationships.wrong,
    z.array(
      z.object({
        ...edgeOf,
        kind: z.string(),
        count: z.number(),
        runs: z.number(),
        expected: z.string().optional().describe('The predicate that the golden case has for this pair'),
        unmatched: texts.optional(),
      }),
    ),
  ),
  missed_relationships: from(
    ({ findings }: Investigation) => findings.relationships.missed,
    z.array(
      z.object({
        ...edgeOf,
        required: z.boolean(),
        kind: z.string(),
        runs: z.number(),
        evidence: z.string().optional(),
      }),
    ),
  ),
  confusion: from(
    ({ findings }: Investigation) => findings.relationships.confusion,
    z.array(z.object({ expected: z.string(), extracted: z.string(), count: z.number() })),
  ),
  quotes: from(
    ({ findings }: Investigation) => findings.quotes,
    z.array(
      z.object({
        label: z.string(),
        kind: z.string(),
        count: z.number(),
        quote: z.string().optional(),
        nearest: z
          .object({
            passage,
            how: z.enum(['respelled', 'shortened', 'rewritten']),
            shared: z.number(),
            of: z.number(),
            left_out: texts,
            added: texts,
          })
          .optional(),
      }),
    ),
  ),
  suspicions: from(
    ({ findings }: Investigation) => findings.suspicions,
    z.array(z.object({ kind: z.string(), label: z.string(), why: z.string() })),
  ),
  checklist: z.array(
    z.object({ section: z.string(), question: z.string(), answer: z.string(), suggested: z.boolean() }),
  ),
  symptoms: from(({ conclusions }: Investigation) => conclusions.symptoms, texts),
  root_cause: from(({ conclusions }: Investigation) => conclusions.rootCause, texts),
  proposed_fix: from(({ conclusions }: Investigation) => conclusions.proposedFix, texts),
  verification_plan: from(({ plan }: Planned) => plan, z.array(z.object({ what: z.string(), action }))),
});

/** Why cases fail, and what to try. */
export const investigation = z.object({
  format: z.literal('assay-decomposition-investigation'),
  version: z.literal(2),
  date: z.string(),
  cases: z.array(investigatedCase),
  nothing_wrong: from(({ clean }: Pick<Investigated, 'clean'>) => clean, texts),
  errored: z.array(z.object({ id: z.string(), error: z.string() })),
  notes: texts,
});
