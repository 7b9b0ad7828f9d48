/** What every backend checks of records before it keeps them: a normalised copy of each, or INPUT_INVALID naming the field. */
import type { DecompositionRecord, DecompositionText } from '../decomposition/production/record.ts';
import { checkDecomposition } from './decomposition-fields.ts';
import {
  ALERT_EVENT_FIELDS,
  ALERT_FIELDS,
  APPROVAL_FIELDS,
  AUDIT_FIELDS,
  checkAlertEvent,
  checkFeedback,
  checkRecord,
  DECOMPOSITION_FIELDS,
  DECOMPOSITION_TEXT_FIELDS,
  DELIVERY_ATTEMPT_FIELDS,
  DELIVERY_FIELDS,
  FEEDBACK_FIELDS,
  type Field,
  RATING_FIELDS,
  SESSION_FIELDS,
} from './fields.ts';
import { checkRun } from './run-fields.ts';
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
  RunRecord,
} from './store.ts';

/** `further` is what the fields alone do not say. */
function checking<R>(
  name: string,
  fields: readonly Field[],
  further: (record: R, where: string) => R = (one) => one,
) {
  return (records: readonly R[]): R[] =>
    records.map((record, i) => {
      const where = `${name}[${i}]`;
      return further(checkRecord<R>(fields, record, where), where);
    });
}

export function checkRuns(runs: readonly RunRecord[]) {
  return runs.map((run, i) => checkRun(run, `runs[${i}]`));
}

export const checkSessions = checking<SessionRow>('sessions', SESSION_FIELDS);
export const checkRatings = checking<Rating>('ratings', RATING_FIELDS);
export const checkApprovals = checking<ApprovalRecord>('approvals', APPROVAL_FIELDS);
export const checkAlerts = checking<Alert>('alerts', ALERT_FIELDS);
export const checkAlertEvents = checking<AlertEvent>('events', ALERT_EVENT_FIELDS, checkAlertEvent);
export const checkAudit = checking<AuditEntry>('audit', AUDIT_FIELDS);
export const checkAllFeedback = checking<Feedback>('feedback', FEEDBACK_FIELDS, checkFeedback);
export const checkDeliveries = checking<Delivery>('deliveries', DELIVERY_FIELDS);
export const checkAttempts = checking<DeliveryAttempt>('attempts', DELIVERY_ATTEMPT_FIELDS);
export const checkDecompositions = checking<DecompositionRecord>(
  'decompositions',
  DECOMPOSITION_FIELDS,
  checkDecomposition,
);
export const checkTexts = checking<DecompositionText>('texts', DECOMPOSITION_TEXT_FIELDS);
