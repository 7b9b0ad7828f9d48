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
  caseId: text.describe('The case, by its name in the golden cases or ground truth'),
  metrics,
  zone: z
    .enum(['fail', 'below target', 'pass', 'excellent'])
    .optional()
    .describe('`fail`, `below target`, `pass` or `excellent`'),
  error: text.optional().describe('Why it could not be measured'),
  evidence: json
    .optional()
    .describe('Details from which other metrics can be computed; never the text itself'),
  baseline: metrics.optional().describe('The result of the baseline for this case'),
});

export const runRecord = z.strictObject({
  runId: text.describe('ID of the run'),
  instrument: text.describe('What measured it'),
  subject: text.describe('What was measured; runs with the same subject and ground truth form a series'),
  at: time.describe('When it was created, UTC'),
  scorer: text.describe('Version of the scorer'),
  truthHash: text.optional().describe('Hash of the golden cases or ground truth'),
  verdict: z
    .enum(['passed', 'blocked', 'inconclusive', 'could not run'])
    .describe('`passed`, `blocked`, `inconclusive` or `could not run`'),
  judgement: z.custom<Judgement>().optional().describe('The metrics of the verdict, and why'),
  facts: json.optional().describe('Details by instrument, such as names and notes from reading'),
  project,
  metrics,
  cases: z.array(caseResult).readonly(),
});

export const rating = z.strictObject({
  ratingId: text.describe('ID of the rating'),
  kind: text.describe('What is rated: a session, a case, an output'),
  subjectId: text.describe(
    'Its ID; for a session its `session_id`, or its `session_key` if several share that ID',
  ),
  author: text.describe('The author: a person or a named model'),
  rating: z.number().describe('On the scale of its kind; 1–5 for a session'),
  note: text.optional().describe('Why'),
  at: time.describe('When it was given, UTC'),
  project,
});

/** A regression that a user approved. */
export const approvalRecord = z.strictObject({
  approvalId: text.describe('ID of the approval'),
  instrument: text.describe('The instrument of the runs'),
  runId: text.describe('The approved run'),
  baselineRunId: text.describe('The baseline run'),
  metric: text.describe('The metric that regressed'),
  reason: text.describe('Why it was approved'),
  who: text.describe('Who approved it'),
  at: time.describe('When it was given, UTC'),
  project,
});

/** Something that deserves attention. */
export const alert = z.strictObject({
  alertId: text.describe('ID of the alert'),
  instrument: text.describe('The instrument it is about'),
  severity: z.enum(['warning', 'critical']).describe('`warning` or `critical`'),
  rule: text.describe('The rule that fired, such as `three-declines`'),
  subject: text.describe('The subject of the alert'),
  message: text.describe('The message'),
  at: time.describe('When it fired, UTC'),
  project,
});

const alertState = z.enum(['open', 'acknowledged', 'silenced', 'resolved']);

/** One step of an alert. A silence needs an end: without one it would be a resolution. */
export const alertEvent = z
  .strictObject({
    eventId: text.describe('ID of the event'),
    alertId: text.describe('The alert'),
    state: alertState.describe('The new state of the alert; `open` reopens it'),
    until: time.optional().describe('When a silence ends, UTC; absent for other events'),
    who: text.describe('The author; `assay` when the condition cleared'),
    why: text.optional().describe('Why'),
    at: time.describe('When it happened, UTC'),
    project,
  })
  .refine(({ state, until }) => (state === 'silenced') === (until !== undefined), {
    error: 'is required for a silence and only allowed there',
    path: ['until'],
  });

/** A user's feedback on an output. */
export const feedback = z
  .strictObject({
    feedbackId: text.describe('ID of the feedback'),
    instrument: text.describe('The instrument of the output'),
    outputId: text.describe('The ID of the output: of a case, or of a request in production'),
    item: text.optional().describe('The part of the output, such as one concept'),
    runId: text.optional().describe('The run of the output'),
    thumb: z.enum(['up', 'down']).optional().describe('`up` or `down`'),
    score: z.number().min(1).max(5).optional().describe('Stars, 1–5'),
    comment: text.optional().describe('The comment of the user'),
    author: text.describe('The author'),
    at: time.describe('When it was given, UTC'),
    project,
  })
  .refine(
    ({ thumb, score, comment }) => thumb !== undefined || score !== undefined || comment !== undefined,
    'needs a thumb, a score or a comment',
  );

/** Something to deliver elsewhere, until it was. */
const delivery = z.strictObject({
  deliveryId: text,
  target: text.describe('The name of the target; it contains no secret'),
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
  auditId: text.describe('ID of the entry: a hash that covers the previous entry'),
  at: time.describe('When it happened, UTC; the first time, where several are counted'),
  who: text.describe('The label of a token, the user of the machine, or `nobody`'),
  tokenId: text.optional().describe('The id of the token'),
  origin: z
    .enum(['command line', 'server', 'this machine', 'private network', 'internet', 'proxy'])
    .describe('Where the request came from, as far as the server can tell'),
  what: text.describe('Method and path, a command, or a change of a token'),
  target: text.optional().describe('The ID of the affected item; the first of several'),
  outcome: z.enum(['done', 'refused', 'failed']).describe('`done`, `refused` or `failed`'),
  status: z.number().optional().describe('The HTTP status, or the exit code of a command'),
  times: z.number().describe('How often it happened within the minute; 1 for single entries'),
  previous: text.optional().describe('The hash of the previous entry'),
  previousAt: time.optional().describe('When the previous entry happened, UTC'),
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
