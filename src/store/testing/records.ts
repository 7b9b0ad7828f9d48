/** Small valid records for tests; `part` says what matters to the test. */
import { createHash } from 'node:crypto';
import type { DecompositionRecord, DecompositionText } from '../../decomposition/production/record.ts';
import { contentHash } from '../canonical.ts';
import type { SessionRow } from '../schema/session.ts';
import type {
  Alert,
  AlertEvent,
  ApprovalRecord,
  AuditEntry,
  Delivery,
  DeliveryAttempt,
  Feedback,
  Rating,
  RunRecord,
} from '../store.ts';

export function at(second: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 30, second)).toISOString();
}

export function run(runId: string, part: Partial<RunRecord> = {}): RunRecord {
  return {
    runId,
    instrument: 'instrument',
    subject: 'subject',
    at: at(0),
    scorer: '1.0.0',
    truthHash: 'truth',
    verdict: 'passed',
    metrics: {
      recall: {
        measured: true,
        value: 0.75,
        low: 0.5,
        high: 0.9,
        n: 4,
        pooled: 0.8,
        coverage: 0.85,
        skipped: { 'no truth': 1 },
      },
      precision: { measured: false, reason: 'nothing was found' },
    },
    cases: [
      {
        caseId: 'one',
        metrics: { recall: { measured: true, value: 1, n: 1 } },
        zone: 'below target',
        evidence: { found: ['x'], missed: [] },
      },
      { caseId: 'two', metrics: {}, error: 'no output' },
    ],
    ...part,
  };
}

export function session(sessionId: string, revision: string, part: Partial<SessionRow> = {}): SessionRow {
  return {
    sessionKey: sessionId,
    sessionId,
    revision,
    scoredAt: at(0),
    source: 'source',
    taskType: 'coding',
    coverage: 0.9,
    runs: 1,
    skippedLines: 0,
    scorerVersion: '1.0.0',
    facts: { turns: 3 },
    ...part,
  };
}

/** With the revision that the product gives it: the hash of its content. */
export function hashed({ revision: _, sessionKey, scoredAt, ...content }: SessionRow): SessionRow {
  return { ...content, sessionKey, scoredAt, revision: contentHash(content) };
}

export function rating(ratingId: string, part: Partial<Rating> = {}): Rating {
  return {
    ratingId,
    kind: 'case',
    subjectId: 'subject',
    author: 'somebody',
    rating: 0.5,
    at: at(0),
    ...part,
  };
}

export function approval(approvalId: string, part: Partial<ApprovalRecord> = {}): ApprovalRecord {
  return {
    approvalId,
    instrument: 'instrument',
    runId: 'run',
    baselineRunId: 'baseline',
    metric: 'recall',
    reason: 'known',
    who: 'somebody',
    at: at(0),
    ...part,
  };
}

export function alert(alertId: string, part: Partial<Alert> = {}): Alert {
  return {
    alertId,
    instrument: 'instrument',
    severity: 'warning',
    rule: 'three-declines',
    subject: 'subject',
    message: 'recall fell three times',
    at: at(0),
    ...part,
  };
}

export function alertEvent(eventId: string, part: Partial<AlertEvent> = {}): AlertEvent {
  return { eventId, alertId: 'alert', state: 'acknowledged', who: 'somebody', at: at(0), ...part };
}

export function feedback(feedbackId: string, part: Partial<Feedback> = {}): Feedback {
  return {
    feedbackId,
    instrument: 'instrument',
    outputId: 'output',
    thumb: 'up',
    author: 'somebody',
    at: at(0),
    ...part,
  };
}

export function auditEntry(auditId: string, part: Partial<AuditEntry> = {}): AuditEntry {
  return {
    auditId,
    at: at(0),
    who: 'somebody',
    origin: 'this machine',
    what: 'POST /somewhere',
    outcome: 'done',
    times: 1,
    ...part,
  };
}

export async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

/** Text that compression does not shorten, for tests of what many bytes do. */
export function denseText(length: number, seed: number): string {
  return createHash('shake256', { outputLength: length }).update(`${seed}`).digest('base64').slice(0, length);
}

export function delivery(deliveryId: string, part: Partial<Delivery> = {}): Delivery {
  return { deliveryId, target: 'webhook', body: { q: 0.5 }, at: at(0), ...part };
}

export function attempt(attemptId: string, part: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  return { attemptId, deliveryId: 'd', outcome: 'failed', at: at(0), ...part };
}

export function decomposition(id: string, part: Partial<DecompositionRecord> = {}): DecompositionRecord {
  return { id, at: at(0), status: 'ok', ...part };
}

export function decompositionText(id: string, part: Partial<DecompositionText> = {}): DecompositionText {
  return { id, at: at(0), text: 'Rain feeds the river.', ...part };
}
