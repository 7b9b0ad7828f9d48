import type { Measurement } from '../../measure/metric.ts';
import type { CaseResult, RunRecord, Store } from '../../store/store.ts';
import { type ExportPeriod, inPages, kindOf, type ReadColumn, tableOf } from './table.ts';

type Measured = { readonly metric: string; readonly measurement: Measurement };
type RunMetric = Measured & { readonly run: RunRecord };
type RunCase = { readonly run: RunRecord; readonly one: CaseResult };
type CaseMetric = RunCase & Measured & { readonly baseline: Measurement | undefined };

/** A run with thousands of cases is held alone. */
async function* readRuns(store: Store, { period }: ExportPeriod): AsyncGenerator<readonly RunRecord[]> {
  const pages = inPages(
    ({ limit, after }) => store.listRuns({ ...period, limit, ...(after && { after }) }),
    ({ runId }) => runId,
  );
  for await (const page of pages)
    for (const { runId } of page) {
      const run = await store.readRun(runId);
      // One that was deleted meanwhile is gone.
      if (run !== undefined) yield [run];
    }
}

const measuredValue = (measurement: Measurement | undefined) =>
  measurement?.measured === true ? measurement.value : undefined;

function estimated(key: 'low' | 'high' | 'n' | 'pooled' | 'spread' | 'coverage', doc: string) {
  return {
    key,
    type: 'number',
    doc,
    read: ({ measurement }: Measured) => (measurement.measured ? measurement[key] : undefined),
  } satisfies ReadColumn<Measured>;
}

const MEASURED: readonly ReadColumn<Measured>[] = [
  {
    key: 'metric',
    type: 'text',
    required: true,
    doc: 'Id of the metric ([metrics](metrics/README.md))',
    read: ({ metric }) => metric,
  },
  {
    key: 'value',
    type: 'number',
    doc: 'What it came to; absent where it could not be measured',
    read: ({ measurement }) => measuredValue(measurement),
  },
  estimated('low', 'Lower end of the 95% interval'),
  estimated('high', 'Upper end of the 95% interval'),
  estimated('n', 'How many units the value rests on'),
  estimated('pooled', 'The value over all units thrown together, where `value` is a mean over cases'),
  estimated('spread', 'Standard deviation between repeats of one case, where cases were repeated'),
  estimated('coverage', 'Of a composite: the share of its weight that was measured'),
  {
    key: 'reason',
    type: 'text',
    doc: 'Why it could not be measured',
    read: ({ measurement }) => (measurement.measured ? undefined : measurement.reason),
  },
];

const RUN_ID: ReadColumn<{ readonly run: RunRecord }> = {
  key: 'run_id',
  type: 'text',
  required: true,
  doc: 'The run',
  read: ({ run }) => run.runId,
};

const CASE_ID: ReadColumn<RunCase> = {
  key: 'case_id',
  type: 'text',
  required: true,
  doc: 'The case, by the name its truth gives it',
  read: ({ one }) => one.caseId,
};

const measuredOf = (metrics: Readonly<Record<string, Measurement>>): Measured[] =>
  Object.entries(metrics).map(([metric, measurement]) => ({ metric, measurement }));

const casesOf = (run: RunRecord): RunCase[] => run.cases.map((one) => ({ run, one }));

const RUN_TABLE = tableOf({
  name: 'runs',
  doc: 'Every execution of an instrument over cases: a suite, a comparison, a review.',
  key: ['run_id'],
  items: (run: RunRecord) => [run],
  columns: [
    { key: 'run_id', type: 'text', required: true, doc: 'Name of the run', read: (run) => run.runId },
    { key: 'created_at', type: 'time', required: true, doc: 'When it was made, UTC', read: (run) => run.at },
    {
      key: 'instrument',
      type: 'text',
      required: true,
      doc: 'What measured it',
      read: (run) => run.instrument,
    },
    {
      key: 'subject',
      type: 'text',
      required: true,
      doc: 'What was measured; runs with the same subject and truth form a series',
      read: (run) => run.subject,
    },
    {
      key: 'scorer',
      type: 'text',
      required: true,
      doc: 'Version of what scored it',
      read: (run) => run.scorer,
    },
    {
      key: 'truth_hash',
      type: 'text',
      doc: 'Hash of the truth it was held against',
      read: (run) => run.truthHash,
    },
    {
      key: 'verdict',
      type: 'text',
      required: true,
      doc: '`passed`, `blocked`, `inconclusive` or `could not run`',
      read: (run) => run.verdict,
    },
    {
      key: 'cases',
      type: 'number',
      required: true,
      doc: 'How many cases it has',
      read: (run) => run.cases.length,
    },
    {
      key: 'cases_with_errors',
      type: 'number',
      required: true,
      doc: 'Those of them that could not be examined',
      read: (run) => run.cases.filter(({ error }) => error !== undefined).length,
    },
  ],
});

const RUN_METRIC_TABLE = tableOf({
  name: 'run_metrics',
  doc: 'What each run came to, a row per metric.',
  key: ['run_id', 'metric'],
  items: (run: RunRecord): RunMetric[] => measuredOf(run.metrics).map((one) => ({ run, ...one })),
  columns: [RUN_ID, ...MEASURED],
});

const CASE_TABLE = tableOf({
  name: 'cases',
  doc: 'The cases of each run.',
  key: ['run_id', 'case_id'],
  items: casesOf,
  columns: [
    RUN_ID,
    CASE_ID,
    {
      key: 'zone',
      type: 'text',
      doc: '`fail`, `below target`, `pass` or `excellent`',
      read: ({ one }) => one.zone,
    },
    { key: 'error', type: 'text', doc: 'Why it could not be examined', read: ({ one }) => one.error },
  ],
});

const CASE_METRIC_TABLE = tableOf({
  name: 'case_metrics',
  doc: 'What each case came to, a row per metric.',
  key: ['run_id', 'case_id', 'metric'],
  items: (run: RunRecord): CaseMetric[] =>
    casesOf(run).flatMap(({ one }) =>
      measuredOf(one.metrics).map((measured) => ({
        run,
        one,
        ...measured,
        baseline: one.baseline?.[measured.metric],
      })),
    ),
  columns: [
    RUN_ID,
    CASE_ID,
    ...MEASURED,
    {
      key: 'baseline_value',
      type: 'number',
      doc: 'What the baseline of a comparison had for this case',
      read: ({ baseline }) => measuredValue(baseline),
    },
  ],
});

export const RUNS = kindOf<RunRecord>({
  kind: 'runs',
  time: 'created_at',
  tables: [RUN_TABLE, RUN_METRIC_TABLE, CASE_TABLE, CASE_METRIC_TABLE],
  read: readRuns,
});
