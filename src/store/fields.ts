/** What each flat record consists of, said once: checking, writing and reading of every backend follow these. */
import type { DecompositionRecord, DecompositionText } from '../decomposition/production/record.ts';
import { camelCase } from '../letter-case.ts';
import { KEPT_COLUMNS, type KeptColumns } from '../session/columns.ts';
import { finite, invalid, isPlainObject, normalise } from './canonical.ts';
import type { SessionRow } from './session-row.ts';
import type {
  Alert,
  AlertEvent,
  ApprovalRecord,
  AuditEntry,
  Delivery,
  DeliveryAttempt,
  Feedback,
  Rating,
} from './store.ts';

type Choice<V extends string> = { readonly oneOf: Readonly<Record<V, true>>; readonly optional?: true };

type FieldOf<V> = [V] extends [number]
  ? 'number'
  : [V] extends [string]
    ? string extends V
      ? 'text' | 'time'
      : Choice<V>
    : 'json';

type OptionalFieldOf<V> =
  FieldOf<V> extends string ? `${FieldOf<V> & string}?` : FieldOf<V> & { optional: true };

/** A field of `R` that is missing here, or of another kind, does not compile. */
export type Fields<R> = {
  readonly [K in keyof R]-?: Pick<R, K> extends Required<Pick<R, K>>
    ? FieldOf<R[K]>
    : OptionalFieldOf<Exclude<R[K], undefined>>;
};

export type Field = {
  readonly name: string;
  readonly kind: 'text' | 'time' | 'number' | 'json';
  readonly optional: boolean;
  readonly oneOf?: Readonly<Record<string, true>>;
};

export function listFields<R>(fields: Fields<R>): readonly Field[] {
  return Object.entries(fields as Readonly<Record<string, string | Choice<string>>>).map(([name, field]) => {
    if (typeof field !== 'string') {
      return { name, kind: 'text', optional: field.optional === true, oneOf: field.oneOf };
    }
    const optional = field.endsWith('?');
    return { name, kind: (optional ? field.slice(0, -1) : field) as Field['kind'], optional };
  });
}

/** A normalised copy, or INPUT_INVALID naming the field. Unknown fields are refused: they would be lost. */
export function checkRecord<R>(fields: readonly Field[], record: unknown, where: string): R {
  if (!isPlainObject(record)) throw invalid(where, 'must be a plain object');
  const checked: Record<string, unknown> = {};
  let found = 0;
  for (const field of fields) {
    const value = record[field.name];
    if (value !== undefined) {
      checked[field.name] = checkValue(field, value, where);
      found += 1;
    } else if (!field.optional) {
      throw invalid(`${where}.${field.name}`, 'is missing');
    }
  }
  const present = Object.keys(record).filter((name) => record[name] !== undefined);
  if (present.length !== found) {
    const unknown = present.find((name) => !fields.some((field) => field.name === name));
    throw invalid(`${where}.${unknown}`, 'is not a field that the store knows; it would be lost');
  }
  return checked as R;
}

function checkValue(field: Field, value: unknown, where: string): unknown {
  switch (field.kind) {
    case 'number':
      return finite(value, `${where}.${field.name}`);
    case 'json':
      return normalise(value, `${where}.${field.name}`);
    case 'time':
      if (!isTime(value)) {
        throw invalid(`${where}.${field.name}`, 'must be a time in UTC such as 2026-01-31T09:30:00.000Z');
      }
      return value;
    default:
      if (typeof value !== 'string') throw invalid(`${where}.${field.name}`, 'must be a string');
      if (field.oneOf !== undefined && !Object.hasOwn(field.oneOf, value)) {
        throw invalid(`${where}.${field.name}`, `must be one of ${Object.keys(field.oneOf).join(', ')}`);
      }
      return value.toWellFormed();
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** One spelling only: times are compared as text, and `…:00Z` would sort after `…:00.500Z`. */
export function isTime(value: unknown): value is string {
  if (typeof value !== 'string' || !TIME.test(value)) return false;
  // The day of an invalid date is NaN, and 31 February is the 3rd of March.
  return new Date(value).getUTCDate() === Number(value.slice(8, 10));
}

export const SESSION_FIELDS: readonly Field[] = [
  ...KEPT_COLUMNS.map(({ key, type, required, keptLater }) => ({
    name: camelCase(key),
    kind: type,
    optional: required !== true || keptLater === true,
  })),
  ...listFields<Omit<SessionRow, keyof KeptColumns>>({
    revision: 'text',
    scoredAt: 'time',
    costAtLeast: 'number?',
    otherModels: 'text?',
    concern: 'number?',
    concernWhy: 'text?',
    lowWhy: 'text?',
    instance: 'text?',
    place: 'number?',
    facts: 'json',
  }),
];

export const RATING_FIELDS = listFields<Rating>({
  ratingId: 'text',
  kind: 'text',
  subjectId: 'text',
  author: 'text',
  rating: 'number',
  note: 'text?',
  at: 'time',
  project: 'text?',
});

export const APPROVAL_FIELDS = listFields<ApprovalRecord>({
  approvalId: 'text',
  instrument: 'text',
  runId: 'text',
  baselineRunId: 'text',
  metric: 'text',
  reason: 'text',
  who: 'text',
  at: 'time',
  project: 'text?',
});

export const ALERT_FIELDS = listFields<Alert>({
  alertId: 'text',
  instrument: 'text',
  severity: { oneOf: { warning: true, critical: true } },
  rule: 'text',
  subject: 'text',
  message: 'text',
  at: 'time',
  project: 'text?',
});

export const ALERT_EVENT_FIELDS = listFields<AlertEvent>({
  eventId: 'text',
  alertId: 'text',
  state: { oneOf: { open: true, acknowledged: true, silenced: true, resolved: true } },
  until: 'time?',
  who: 'text',
  why: 'text?',
  at: 'time',
  project: 'text?',
});

/** A silence without an end would be a resolution that nobody decided on. */
export function checkAlertEvent(event: AlertEvent, where: string): AlertEvent {
  if ((event.state === 'silenced') !== (event.until !== undefined))
    throw invalid(`${where}.until`, 'belongs to a silence, and a silence has one');
  return event;
}

export const FEEDBACK_FIELDS = listFields<Feedback>({
  feedbackId: 'text',
  instrument: 'text',
  outputId: 'text',
  item: 'text?',
  runId: 'text?',
  thumb: { oneOf: { up: true, down: true }, optional: true },
  score: 'number?',
  comment: 'text?',
  author: 'text',
  at: 'time',
  project: 'text?',
});

export function checkFeedback(feedback: Feedback, where: string): Feedback {
  const { thumb, score, comment } = feedback;
  if (thumb === undefined && score === undefined && comment === undefined)
    throw invalid(where, 'says nothing: it needs a thumb, a score or a comment');
  if (score !== undefined && !(score >= 1 && score <= 5))
    throw invalid(`${where}.score`, 'must be from 1 to 5');
  return feedback;
}

export const DELIVERY_FIELDS = listFields<Delivery>({
  deliveryId: 'text',
  target: 'text',
  body: 'json',
  at: 'time',
  project: 'text?',
});

export const DELIVERY_ATTEMPT_FIELDS = listFields<DeliveryAttempt>({
  attemptId: 'text',
  deliveryId: 'text',
  outcome: { oneOf: { claimed: true, delivered: true, failed: true, 'given up': true } },
  why: 'text?',
  at: 'time',
});

export const AUDIT_FIELDS = listFields<AuditEntry>({
  auditId: 'text',
  at: 'time',
  who: 'text',
  tokenId: 'text?',
  origin: {
    oneOf: {
      'command line': true,
      server: true,
      'this machine': true,
      'private network': true,
      internet: true,
      proxy: true,
    },
  },
  what: 'text',
  target: 'text?',
  outcome: { oneOf: { done: true, refused: true, failed: true } },
  status: 'number?',
  times: 'number',
  previous: 'text?',
  previousAt: 'time?',
  project: 'text?',
});

export const DECOMPOSITION_FIELDS = listFields<DecompositionRecord>({
  id: 'text',
  at: 'time',
  status: { oneOf: { ok: true, error: true } },
  errorKind: 'text?',
  latencyMs: 'number?',
  costUsd: 'number?',
  inputTokens: 'number?',
  outputTokens: 'number?',
  model: 'text?',
  promptVersion: 'text?',
  topic: 'text?',
  textHash: 'text?',
  textLength: 'number?',
  concepts: 'number?',
  relationships: 'number?',
  confidence: 'json?',
  predicates: 'json?',
  sample: 'json?',
  quotes: 'json?',
  unmentioned: 'json?',
  experiment: 'json?',
  project: 'text?',
});

export const DECOMPOSITION_TEXT_FIELDS = listFields<DecompositionText>({
  id: 'text',
  at: 'time',
  text: 'text',
  output: 'json?',
});
