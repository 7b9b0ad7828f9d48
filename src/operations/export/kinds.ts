/** The tables of an export. Columns follow the schemas of the records; what a schema does not have is declared here. */

import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import { decompositionRecord } from '../../decomposition/production/record-schema.ts';
import { camelCase } from '../../letter-case.ts';
import type { Measurement } from '../../measure/metric.ts';
import { STORED_COLUMNS } from '../../session/columns.ts';
import {
  type AlertEvent,
  type ApprovalRecord,
  type AuditEntry,
  alert,
  alertEvent,
  approvalRecord,
  auditEntry,
  type CaseResult,
  caseResult,
  type Feedback,
  feedback,
  type Rating,
  type RunRecord,
  rating,
  runRecord,
} from '../../store/schema/records.ts';
import { type SessionRow, STORE_COLUMNS } from '../../store/schema/session.ts';
import type { Store, TimeQuery, TrackedAlert } from '../../store/store.ts';
import type { ErrorOutcome, RunEvidence } from '../../workflow/evidence.ts';
import {
  columnsOf,
  type ExportColumn,
  type ExportKind,
  type ExportPeriod,
  type ExportValue,
  inPages,
  PAGE,
  tableOf,
} from './table.ts';

type SessionColumnLike = Pick<ExportColumn, 'key' | 'type' | 'required' | 'doc'>;

function sessionColumn({ key, type, required, doc }: SessionColumnLike): ExportColumn<SessionRow> {
  const name = camelCase(key) as keyof SessionRow;
  return { key, type, required, doc, read: (row) => row[name] as ExportValue };
}

function stored(...keys: readonly (typeof STORE_COLUMNS)[number]['key'][]): ExportColumn<SessionRow>[] {
  return STORE_COLUMNS.filter(({ key }) => keys.includes(key)).map(sessionColumn);
}

const SESSIONS: ExportKind<SessionRow> = {
  kind: 'sessions',
  time: 'started_at',
  tables: [
    tableOf<SessionRow>({
      name: 'sessions',
      doc: 'Every scored session as it was scored last, with what it cost and used. Never its text.',
      key: ['session_key'],
      columns: [
        ...STORED_COLUMNS.map(({ required, storedLater, ...column }) =>
          sessionColumn({ ...column, required: required === true && storedLater !== true }),
        ),
        ...stored('revision', 'scored_at'),
        {
          key: 'cost_usd_is_lower_bound',
          type: 'flag',
          doc: 'It cost at least this, and how much more is not known; absent where the cost is',
          read: (row) => (row.costUsd === undefined ? undefined : row.costAtLeast === 1),
        },
        ...stored('other_models', 'attention'),
      ],
    }),
  ],
  read: async function* (store, { period }) {
    let held: SessionRow[] = [];
    for await (const row of store.readSessions(period)) {
      held.push(row);
      if (held.length < PAGE) continue;
      yield held;
      held = [];
    }
    if (held.length > 0) yield held;
  },
};

type Measured = { readonly metric: string; readonly measurement: Measurement };
type RunMetric = Measured & { readonly runId: string };
type RunCase = CaseResult & { readonly runId: string };
type CaseMetric = RunCase & Measured;

/** One run at a time: it may have thousands of cases. */
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

const measuredValue = (one: Measurement | undefined) => (one?.measured === true ? one.value : undefined);

function estimated(key: 'low' | 'high' | 'n' | 'pooled' | 'spread' | 'coverage', doc: string) {
  const read = ({ measurement }: Measured) => (measurement.measured ? measurement[key] : undefined);
  return { key, type: 'number', doc, read } satisfies ExportColumn<Measured>;
}

const MEASURED: readonly ExportColumn<Measured>[] = [
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

const RUN_ID: ExportColumn<{ readonly runId: string }> = {
  key: 'run_id',
  type: 'text',
  required: true,
  doc: 'The run',
  read: ({ runId }) => runId,
};

const measuredOf = (metrics: RunRecord['metrics']): Measured[] =>
  Object.entries(metrics).map(([metric, measurement]) => ({ metric, measurement }));

const casesOf = ({ runId, cases }: RunRecord): RunCase[] => cases.map((one) => ({ runId, ...one }));

type ReviewedError = RunCase & {
  readonly workflow: string;
  readonly task: string;
  readonly known: ErrorOutcome;
};

function reviewedErrors(run: RunRecord): ReviewedError[] {
  if (run.instrument !== 'workflow') return [];
  return casesOf(run).flatMap((one) => {
    // Written by this instrument, and its hash is checked.
    const evidence = one.evidence as unknown as RunEvidence | undefined;
    const { workflow = '', task = '', errors = [] } = evidence ?? {};
    return errors.map((known) => ({ ...one, workflow, task, known }));
  });
}

function ofError(
  key: string,
  doc: string,
  read: (one: ReviewedError) => string,
): ExportColumn<ReviewedError> {
  return { key, type: 'text', required: true, doc, read };
}

const RUNS: ExportKind<RunRecord> = {
  kind: 'runs',
  time: 'created_at',
  tables: [
    tableOf<RunRecord>({
      name: 'runs',
      doc: 'Every execution of an instrument over cases: a suite, a comparison, a review.',
      key: ['run_id'],
      columns: [
        ...columnsOf(runRecord, ['runId', 'at', 'instrument', 'subject', 'scorer', 'truthHash', 'verdict']),
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
    }),
    tableOf<RunRecord, RunMetric>({
      name: 'run_metrics',
      doc: 'What each run came to, a row per metric.',
      key: ['run_id', 'metric'],
      items: ({ runId, metrics }) => measuredOf(metrics).map((one) => ({ runId, ...one })),
      columns: [RUN_ID, ...MEASURED],
    }),
    tableOf<RunRecord, RunCase>({
      name: 'cases',
      doc: 'The cases of each run.',
      key: ['run_id', 'case_id'],
      items: casesOf,
      columns: [RUN_ID, ...columnsOf(caseResult, ['caseId', 'zone', 'error'])],
    }),
    tableOf<RunRecord, CaseMetric>({
      name: 'case_metrics',
      doc: 'What each case came to, a row per metric.',
      key: ['run_id', 'case_id', 'metric'],
      items: (run) =>
        casesOf(run).flatMap((one) => measuredOf(one.metrics).map((measured) => ({ ...one, ...measured }))),
      columns: [
        RUN_ID,
        ...columnsOf(caseResult, ['caseId']),
        ...MEASURED,
        {
          key: 'baseline_value',
          type: 'number',
          doc: 'What the baseline of a comparison had for this case',
          read: ({ baseline, metric }) => measuredValue(baseline?.[metric]),
        },
      ],
    }),
    tableOf<RunRecord, ReviewedError>({
      name: 'review_errors',
      doc: 'Known errors × runs of reviews: what each run of a scored review made of each error of its ground truth.',
      key: ['run_id', 'case_id', 'error_id'],
      items: reviewedErrors,
      columns: [
        RUN_ID,
        ...columnsOf(caseResult, ['caseId']),
        ofError('workflow', 'The workflow that was scored', ({ workflow }) => workflow),
        ofError('task', 'The task of the ground truth', ({ task }) => task),
        ofError('error_id', 'The known error', ({ known }) => known.id),
        ofError('severity', '`CRITICAL`, `IMPORTANT` or `MINOR`', ({ known }) => known.severity),
        ofError('category', 'Its category', ({ known }) => known.category),
        {
          key: 'credit',
          type: 'number',
          required: true,
          doc: '1 found, 0.5 found in part, 0 missed',
          read: ({ known }) => known.credit,
        },
        {
          key: 'finding_id',
          type: 'text',
          doc: 'The finding that is credited with it',
          read: ({ known }) => known.finding,
        },
        {
          key: 'document',
          type: 'text',
          doc: 'The file that it lies in',
          read: ({ known }) => known.document,
        },
      ],
    }),
  ],
  read: readRuns,
};

/** A kind of one table, a row for each record. The first column is the key. */
function flatKind<Record extends { readonly at: string }>(
  kind: string,
  doc: string,
  columns: readonly [ExportColumn<Record>, ...ExportColumn<Record>[]],
  page: (store: Store, query: TimeQuery & { readonly now: string }) => Promise<readonly Record[]>,
): ExportKind<Record> {
  const [key] = columns;
  return {
    kind,
    time: 'created_at',
    tables: [tableOf<Record>({ name: kind.replace('-', '_'), doc, key: [key.key], columns })],
    read: (store, { period, now }) =>
      inPages(
        (query) => page(store, { ...period, ...query, now }),
        (one) => String(key.read(one)),
      ),
  };
}

const RATINGS = flatKind<Rating>(
  'ratings',
  'What persons and named models said of a session, a case or an output.',
  columnsOf(rating, ['ratingId', 'at', 'kind', 'subjectId', 'author', 'rating', 'note']),
  (store, query) => store.readRatings(query),
);

const APPROVALS = flatKind<ApprovalRecord>(
  'approvals',
  'Regressions that somebody let through.',
  columnsOf(approvalRecord, [
    'approvalId',
    'at',
    'instrument',
    'runId',
    'baselineRunId',
    'metric',
    'reason',
    'who',
  ]),
  (store, query) => store.readApprovals(query),
);

const ALERTS = flatKind<TrackedAlert>(
  'alerts',
  'What deserved attention, and what had become of it when it was exported.',
  [
    ...columnsOf(alert, ['alertId', 'at', 'instrument', 'severity', 'rule', 'subject', 'message']),
    {
      key: 'state',
      type: 'text',
      required: true,
      doc: '`open`, `acknowledged`, `silenced` or `resolved`',
      read: (one) => one.state,
    },
    {
      key: 'state_at',
      type: 'time',
      doc: 'When its last step was, UTC; absent where there was none',
      read: ({ event }) => event?.at,
    },
    { key: 'state_by', type: 'text', doc: 'Who took that step', read: ({ event }) => event?.who },
  ],
  (store, query) => store.trackAlerts(query),
);

const ALERT_EVENTS = flatKind<AlertEvent>(
  'alert-events',
  'What became of alerts, step by step.',
  columnsOf(alertEvent, ['eventId', 'at', 'alertId', 'state', 'until', 'who', 'why']),
  (store, query) => store.readAlertEvents(query),
);

const FEEDBACK = flatKind<Feedback>(
  'feedback',
  'What people who used an output said of it.',
  columnsOf(feedback, [
    'feedbackId',
    'at',
    'instrument',
    'outputId',
    'item',
    'runId',
    'thumb',
    'score',
    'comment',
    'author',
  ]),
  (store, query) => store.readFeedback(query),
);

const AUDIT = flatKind<AuditEntry>(
  'audit',
  'Who wrote, approved and deleted what, and how tokens were used and refused; never what was said in it.',
  columnsOf(auditEntry, [
    'auditId',
    'at',
    'who',
    'tokenId',
    'origin',
    'what',
    'target',
    'project',
    'outcome',
    'status',
    'times',
    'previous',
  ]),
  (store, query) => store.readAudit(query),
);

type Request = DecompositionRecord;

function number(key: string, doc: string, read: (one: Request) => number | undefined): ExportColumn<Request> {
  return { key, type: 'number', doc, read };
}

function text(key: string, doc: string, read: (one: Request) => string | undefined): ExportColumn<Request> {
  return { key, type: 'text', doc, read };
}

const meanConfidence = ({ confidence }: Request) =>
  confidence === undefined || confidence.n === 0 ? undefined : confidence.sum / confidence.n;

const [REQUEST_ID, ...OF_REQUESTS] = columnsOf(decompositionRecord, [
  'id',
  'at',
  'status',
  'errorKind',
  'latencyMs',
  'costUsd',
  'inputTokens',
  'outputTokens',
  'model',
  'promptVersion',
  'topic',
  'textHash',
  'textLength',
  'concepts',
  'relationships',
]);

const PRODUCTION: ExportKind<Request> = {
  kind: 'production',
  time: 'created_at',
  tables: [
    tableOf<Request>({
      name: 'production_requests',
      doc: 'Requests of a decomposition service in production, with the arm of the experiment they were part of. Never their text.',
      key: ['request_id'],
      columns: [
        { ...REQUEST_ID, key: 'request_id' },
        ...OF_REQUESTS,
        number('mean_confidence', 'Mean confidence of the concepts that say one', meanConfidence),
        number('confident_concepts', 'How many concepts say one', (one) => one.confidence?.n),
        number(
          'quotes_given',
          'Quotes that concepts gave, where the text was seen',
          (one) => one.quotes?.given,
        ),
        number('quotes_verified', 'Those of them that stand in the text', (one) => one.quotes?.verified),
        number(
          'concepts_unmentioned',
          'Concepts that the text never mentions, where it was seen',
          (one) => one.unmentioned?.unmentioned,
        ),
        number(
          'sample_probability',
          'It was drawn for a closer look with this probability',
          (one) => one.sample?.probability,
        ),
        text('sample_stratum', 'What it was drawn from', (one) => one.sample?.stratum),
        text('experiment', 'The experiment it was part of', (one) => one.experiment?.id),
        text('arm', 'The arm of the experiment', (one) => one.experiment?.arm),
      ],
    }),
    tableOf<Request, { readonly id: string; readonly predicate: string; readonly count: number }>({
      name: 'production_predicates',
      doc: 'How many relationships of each request have which predicate; those beyond the twenty most used are `(other)`.',
      key: ['request_id', 'predicate'],
      items: ({ id, predicates = {} }) =>
        Object.entries(predicates).map(([predicate, count]) => ({ id, predicate, count })),
      columns: [
        { key: 'request_id', type: 'text', required: true, doc: 'The request', read: (one) => one.id },
        {
          key: 'predicate',
          type: 'text',
          required: true,
          doc: 'The predicate',
          read: (one) => one.predicate,
        },
        {
          key: 'relationships',
          type: 'number',
          required: true,
          doc: 'How many relationships have it',
          read: (one) => one.count,
        },
      ],
    }),
  ],
  read: (store, { period }) =>
    inPages(
      (page) => store.readDecompositions({ ...period, ...page }),
      (one) => one.id,
    ),
};

/** In the order in which they are written. */
export const EXPORT_KINDS: readonly ExportKind[] = [
  SESSIONS,
  RUNS,
  RATINGS,
  APPROVALS,
  ALERTS,
  ALERT_EVENTS,
  FEEDBACK,
  AUDIT,
  PRODUCTION,
] as readonly unknown[] as readonly ExportKind[];
