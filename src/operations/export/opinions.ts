/** What people and rules said and did: ratings, approvals, alerts with what became of them, feedback, the audit log. */
import type {
  AlertEvent,
  ApprovalRecord,
  AuditEntry,
  Feedback,
  Rating,
  TrackedAlert,
} from '../../store/store.ts';
import { inPages, kindOf, type ReadColumn, tableOf } from './table.ts';

const own = <Item>(item: Item): Item[] => [item];

function at<Item extends { readonly at: string }>(doc: string): ReadColumn<Item> {
  return { key: 'created_at', type: 'time', required: true, doc, read: (item) => item.at };
}

function text<Item>(key: string, doc: string, read: (item: Item) => string | undefined): ReadColumn<Item> {
  return { key, type: 'text', doc, read };
}

function name<Item>(key: string, doc: string, read: (item: Item) => string): ReadColumn<Item> {
  return { key, type: 'text', required: true, doc, read };
}

export const RATINGS = kindOf<Rating>({
  kind: 'ratings',
  time: 'created_at',
  tables: [
    tableOf({
      name: 'ratings',
      doc: 'What persons and named models said of a session, a case or an output.',
      key: ['rating_id'],
      items: own<Rating>,
      columns: [
        name<Rating>('rating_id', 'Name of the rating', (one) => one.ratingId),
        at<Rating>('When it was said, UTC'),
        name<Rating>('kind', 'What is rated: a session, a case, an output', (one) => one.kind),
        name<Rating>(
          'subject_id',
          'Which one; of a session its `session_id`, or its `session_key` where several have that name',
          (one) => one.subjectId,
        ),
        name<Rating>('author', 'Who said it', (one) => one.author),
        {
          key: 'rating',
          type: 'number',
          required: true,
          doc: 'On the scale of its kind; of a session 1–5',
          read: (one) => one.rating,
        },
        text<Rating>('note', 'Why', (one) => one.note),
      ],
    }),
  ],
  read: (store, { period }) =>
    inPages(
      (page) => store.readRatings({ ...period, ...page }),
      (one) => one.ratingId,
    ),
});

export const APPROVALS = kindOf<ApprovalRecord>({
  kind: 'approvals',
  time: 'created_at',
  tables: [
    tableOf({
      name: 'approvals',
      doc: 'Regressions that somebody let through.',
      key: ['approval_id'],
      items: own<ApprovalRecord>,
      columns: [
        name<ApprovalRecord>('approval_id', 'Name of the approval', (one) => one.approvalId),
        at<ApprovalRecord>('When it was given, UTC'),
        name<ApprovalRecord>('instrument', 'What measured the runs', (one) => one.instrument),
        name<ApprovalRecord>('run_id', 'The run that was let through', (one) => one.runId),
        name<ApprovalRecord>('baseline_run_id', 'The run it was held against', (one) => one.baselineRunId),
        name<ApprovalRecord>('metric', 'The metric that fell', (one) => one.metric),
        name<ApprovalRecord>('reason', 'Why it was let through', (one) => one.reason),
        name<ApprovalRecord>('who', 'Who let it through', (one) => one.who),
      ],
    }),
  ],
  read: (store, { period }) =>
    inPages(
      (page) => store.readApprovals({ ...period, ...page }),
      (one) => one.approvalId,
    ),
});

export const ALERTS = kindOf<TrackedAlert>({
  kind: 'alerts',
  time: 'created_at',
  tables: [
    tableOf({
      name: 'alerts',
      doc: 'What deserved attention, and what had become of it when it was exported.',
      key: ['alert_id'],
      items: own<TrackedAlert>,
      columns: [
        name<TrackedAlert>('alert_id', 'Name of the alert', (one) => one.alertId),
        at<TrackedAlert>('When it fired, UTC'),
        name<TrackedAlert>('instrument', 'What was watched', (one) => one.instrument),
        name<TrackedAlert>('severity', '`warning` or `critical`', (one) => one.severity),
        name<TrackedAlert>('rule', 'The rule that fired', (one) => one.rule),
        name<TrackedAlert>('subject', 'What it is about', (one) => one.subject),
        name<TrackedAlert>('message', 'What it says', (one) => one.message),
        name<TrackedAlert>('state', '`open`, `acknowledged`, `silenced` or `resolved`', (one) => one.state),
        {
          key: 'state_at',
          type: 'time',
          doc: 'When its last step was, UTC; absent where there was none',
          read: ({ event }) => event?.at,
        },
        text<TrackedAlert>('state_by', 'Who took that step', ({ event }) => event?.who),
      ],
    }),
  ],
  read: (store, { period, now }) =>
    inPages(
      (page) => store.trackAlerts({ ...period, ...page, now }),
      (one) => one.alertId,
    ),
});

export const ALERT_EVENTS = kindOf<AlertEvent>({
  kind: 'alert-events',
  time: 'created_at',
  tables: [
    tableOf({
      name: 'alert_events',
      doc: 'What became of alerts, step by step.',
      key: ['event_id'],
      items: own<AlertEvent>,
      columns: [
        name<AlertEvent>('event_id', 'Name of the step', (one) => one.eventId),
        at<AlertEvent>('When it was taken, UTC'),
        name<AlertEvent>('alert_id', 'The alert', (one) => one.alertId),
        name<AlertEvent>(
          'state',
          'What the alert was from then on; `open` opens it again',
          (one) => one.state,
        ),
        {
          key: 'until',
          type: 'time',
          doc: 'When a silence ends, UTC; absent for other steps',
          read: (one) => one.until,
        },
        name<AlertEvent>('who', 'Who took it', (one) => one.who),
        text<AlertEvent>('why', 'Why', (one) => one.why),
      ],
    }),
  ],
  read: (store, { period }) =>
    inPages(
      (page) => store.readAlertEvents({ ...period, ...page }),
      (one) => one.eventId,
    ),
});

export const FEEDBACK = kindOf<Feedback>({
  kind: 'feedback',
  time: 'created_at',
  tables: [
    tableOf({
      name: 'feedback',
      doc: 'What people who used an output said of it.',
      key: ['feedback_id'],
      items: own<Feedback>,
      columns: [
        name<Feedback>('feedback_id', 'Name of the feedback', (one) => one.feedbackId),
        at<Feedback>('When it was given, UTC'),
        name<Feedback>('instrument', 'What the output is of', (one) => one.instrument),
        name<Feedback>(
          'output_id',
          'The output of a case, or of a request in production',
          (one) => one.outputId,
        ),
        text<Feedback>('item', 'The part it is about, such as one concept', (one) => one.item),
        text<Feedback>('run_id', 'The run it was part of', (one) => one.runId),
        text<Feedback>('thumb', '`up` or `down`', (one) => one.thumb),
        { key: 'score', type: 'number', doc: 'Stars, 1–5', read: (one) => one.score },
        text<Feedback>('comment', 'In their words', (one) => one.comment),
        name<Feedback>('author', 'Who gave it', (one) => one.author),
      ],
    }),
  ],
  read: (store, { period }) =>
    inPages(
      (page) => store.readFeedback({ ...period, ...page }),
      (one) => one.feedbackId,
    ),
});

export const AUDIT = kindOf<AuditEntry>({
  kind: 'audit',
  time: 'created_at',
  tables: [
    tableOf({
      name: 'audit',
      doc: 'Who wrote, approved and deleted what, and how tokens were used and refused; never what was said in it.',
      key: ['audit_id'],
      items: own<AuditEntry>,
      columns: [
        name<AuditEntry>('audit_id', 'Name of the entry', (one) => one.auditId),
        at<AuditEntry>('When it was done, UTC; of several within a minute, the first'),
        name<AuditEntry>('who', 'The label of a token, or the person at the machine', (one) => one.who),
        text<AuditEntry>('token_id', 'The id of the token', (one) => one.tokenId),
        name<AuditEntry>('origin', 'From where it was asked, as a class', (one) => one.origin),
        name<AuditEntry>(
          'what',
          'Method and address, a command, or what became of a token',
          (one) => one.what,
        ),
        text<AuditEntry>('target', 'The id of what it was done to', (one) => one.target),
        text<AuditEntry>('project', 'In which project', (one) => one.project),
        name<AuditEntry>('outcome', '`done`, `refused` or `failed`', (one) => one.outcome),
        {
          key: 'status',
          type: 'number',
          doc: 'Of HTTP its status, of a command its exit code',
          read: (one) => one.status,
        },
        {
          key: 'times',
          type: 'number',
          required: true,
          doc: 'How often within its minute',
          read: (one) => one.times,
        },
        text<AuditEntry>('previous', 'The hash of the entry before it', (one) => one.previous),
      ],
    }),
  ],
  read: (store, { period }) =>
    inPages(
      (page) => store.readAudit({ ...period, ...page }),
      (one) => one.auditId,
    ),
});
