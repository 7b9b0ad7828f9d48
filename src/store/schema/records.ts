/**
 * The records of a store, each declared once: types, checks before something is stored, the wire and the columns of an
 * export follow from these. Reading does not need Zod, which takes its time to load: import this file for its types only,
 * or where records are appended.
 */
import { z } from 'zod';
import { decompositionRecord, decompositionText } from '../../decomposition/production/record-schema.ts';
import type { Judgement } from '../../judge/judgement.ts';
import type { Measurement } from '../../measure/metric.ts';
import { tryParse } from '../../say-issue.ts';
import { invalid, normalise } from '../canonical.ts';

/** Facts that only the instrument which wrote them understands. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const text = z.string();
/** One spelling only: times are compared as text. */
const time = z.iso.datetime({ precision: 3 });
const json = z.custom<Json>((value) => value !== undefined, 'is missing');
const project = text
  .optional()
  .describe('The project; absent: of no project, visible only to those who see all projects');

const measurement: z.ZodType<Measurement> = z.discriminatedUnion('measured', [
  z.strictObject({
    measured: z.literal(true),
    value: z.number(),
    low: z.number().optional(),
    high: z.number().optional(),
    n: z.number(),
    pooled: z.number().optional(),
    coverage: z.number().optional(),
    spread: z.number().optional(),
    skipped: z.record(text, z.number()).optional(),
  }),
  z.strictObject({ measured: z.literal(false), reason: text }),
]);
const metrics = z.record(text, measurement);

export const caseResult = z.strictObject({
  caseId: text.describe('The case, by the name its truth gives it'),
  metrics,
  zone: z
    .enum(['fail', 'below target', 'pass', 'excellent'])
    .optional()
    .describe('`fail`, `below target`, `pass` or `excellent`'),
  error: text.optional().describe('Why it could not be examined'),
  evidence: json
    .optional()
    .describe('Enough to measure again with another metric; never the text that was examined'),
  baseline: metrics.optional().describe('What the baseline of a comparison had for this case'),
});

export const runRecord = z.strictObject({
  runId: text.describe('Name of the run'),
  instrument: text.describe('What measured it'),
  subject: text.describe('What was measured; runs with the same subject and truth form a series'),
  at: time.describe('When it was made, UTC'),
  scorer: text.describe('Version of what scored it'),
  truthHash: text.optional().describe('Hash of the truth it was held against'),
  verdict: z
    .enum(['passed', 'blocked', 'inconclusive', 'could not run'])
    .describe('`passed`, `blocked`, `inconclusive` or `could not run`'),
  judgement: z.custom<Judgement>().optional().describe('What it was judged on, and why'),
  facts: json
    .optional()
    .describe('What its instrument says of it: names, and what was found out while reading'),
  project,
  metrics,
  cases: z.array(caseResult).readonly(),
});

export const rating = z.strictObject({
  ratingId: text.describe('Name of the rating'),
  kind: text.describe('What is rated: a session, a case, an output'),
  subjectId: text.describe(
    'Which one; of a session its `session_id`, or its `session_key` where several have that name',
  ),
  author: text.describe('Who said it: a person or a named model'),
  rating: z.number().describe('On the scale of its kind; of a session 1–5'),
  note: text.optional().describe('Why'),
  at: time.describe('When it was said, UTC'),
  project,
});

/** A regression that a user approved. */
export const approvalRecord = z.strictObject({
  approvalId: text.describe('Name of the approval'),
  instrument: text.describe('What measured the runs'),
  runId: text.describe('The run that was let through'),
  baselineRunId: text.describe('The run it was held against'),
  metric: text.describe('The metric that fell'),
  reason: text.describe('Why it was let through'),
  who: text.describe('Who let it through'),
  at: time.describe('When it was given, UTC'),
  project,
});

/** Something that deserves attention. */
export const alert = z.strictObject({
  alertId: text.describe('Name of the alert'),
  instrument: text.describe('What was watched'),
  severity: z.enum(['warning', 'critical']).describe('`warning` or `critical`'),
  rule: text.describe('The rule that fired, such as `three-declines`'),
  subject: text.describe('What it is about'),
  message: text.describe('What it says'),
  at: time.describe('When it fired, UTC'),
  project,
});

const alertState = z.enum(['open', 'acknowledged', 'silenced', 'resolved']);

/** One step of an alert. A silence needs an end: without one it would be a resolution. */
export const alertEvent = z
  .strictObject({
    eventId: text.describe('Name of the step'),
    alertId: text.describe('The alert'),
    state: alertState.describe('What the alert was from then on; `open` opens it again'),
    until: time.optional().describe('When a silence ends, UTC; absent for other steps'),
    who: text.describe('Who took it; `assay` where the condition was over'),
    why: text.optional().describe('Why'),
    at: time.describe('When it was taken, UTC'),
    project,
  })
  .refine(({ state, until }) => (state === 'silenced') === (until !== undefined), {
    error: 'belongs to a silence, and a silence has one',
    path: ['until'],
  });

/** A user's feedback on an output. */
export const feedback = z
  .strictObject({
    feedbackId: text.describe('Name of the feedback'),
    instrument: text.describe('What the output is of'),
    outputId: text.describe('The output of a case, or of a request in production'),
    item: text.optional().describe('The part it is about, such as one concept'),
    runId: text.optional().describe('The run it was part of'),
    thumb: z.enum(['up', 'down']).optional().describe('`up` or `down`'),
    score: z.number().min(1).max(5).optional().describe('Stars, 1–5'),
    comment: text.optional().describe('In their words'),
    author: text.describe('Who gave it'),
    at: time.describe('When it was given, UTC'),
    project,
  })
  .refine(
    ({ thumb, score, comment }) => thumb !== undefined || score !== undefined || comment !== undefined,
    'says nothing: it needs a thumb, a score or a comment',
  );

/** Something to deliver elsewhere, until it was. */
const delivery = z.strictObject({
  deliveryId: text,
  target: text.describe('Who is to get it, by a name that holds no secret'),
  body: json,
  at: time,
  project,
});

/** `claimed`: one process is about to deliver it, so that no other does. */
const deliveryAttempt = z.strictObject({
  attemptId: text,
  deliveryId: text,
  outcome: z.enum(['claimed', 'delivered', 'failed', 'given up']),
  why: text.optional(),
  at: time,
});

/**
 * An action, approval or refusal, and its author: never its content, and no secret. Each names the entry before it
 * (docs/contributing/decisions/audit.md).
 */
export const auditEntry = z.strictObject({
  auditId: text.describe('Name of the entry: the hash of the one before it'),
  at: time.describe('When it was done, UTC; of several within a minute, the first'),
  who: text.describe('The label of a token, the user of the machine, or `nobody`'),
  tokenId: text.optional().describe('The id of the token'),
  origin: z
    .enum(['command line', 'server', 'this machine', 'private network', 'internet', 'proxy'])
    .describe('From where it was asked, as far as the server can tell'),
  what: text.describe('Method and address, a command, or what became of a token'),
  target: text.optional().describe('The id of what it was done to; of several, that of the first'),
  outcome: z.enum(['done', 'refused', 'failed']).describe('`done`, `refused` or `failed`'),
  status: z.number().optional().describe('Of HTTP its status, of a command its exit code'),
  times: z.number().describe('How often within its minute; 1 where each has an entry'),
  previous: text.optional().describe('The hash of the entry before it'),
  previousAt: time.optional().describe('When that was done, UTC'),
  project,
});

export type CaseResult = Readonly<z.infer<typeof caseResult>>;
export type RunRecord = Readonly<z.infer<typeof runRecord>>;
export type Rating = Readonly<z.infer<typeof rating>>;
export type ApprovalRecord = Readonly<z.infer<typeof approvalRecord>>;
export type Alert = Readonly<z.infer<typeof alert>>;
export type AlertState = z.infer<typeof alertState>;
export type AlertEvent = Readonly<z.infer<typeof alertEvent>>;
export type Feedback = Readonly<z.infer<typeof feedback>>;
export type Delivery = Readonly<z.infer<typeof delivery>>;
export type DeliveryAttempt = Readonly<z.infer<typeof deliveryAttempt>>;
export type AuditEntry = Readonly<z.infer<typeof auditEntry>>;

/** What each kind that is not a session has to be before it is stored. */
export const SCHEMAS = {
  runs: runRecord,
  ratings: rating,
  approvals: approvalRecord,
  alerts: alert,
  'alert-events': alertEvent,
  feedback,
  audit: auditEntry,
  deliveries: delivery,
  'delivery-attempts': deliveryAttempt,
  decompositions: decompositionRecord,
  'decomposition-texts': decompositionText,
} as const;

/**
 * A normalised copy of each, or INPUT_INVALID with the field. Unknown fields are refused, because nothing would read
 * them.
 */
export function checkRecords<R extends object>(kind: keyof typeof SCHEMAS, records: readonly R[]): R[] {
  return records.map((record, i) => {
    const where = `${kind}[${i}]`;
    const parsed = tryParse<z.ZodType>(SCHEMAS[kind], record, where);
    if (parsed.success) return normalise(record, where) as unknown as R;
    const [issue] = parsed.error.issues;
    throw invalid(where + pathOf(issue?.path ?? []), issue?.message ?? '');
  });
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
}
