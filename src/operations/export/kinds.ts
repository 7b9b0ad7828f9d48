import { ALERT_EVENTS, ALERTS, APPROVALS, AUDIT, FEEDBACK, RATINGS } from './opinions.ts';
import { PRODUCTION } from './production.ts';
import { RUNS } from './runs.ts';
import { SESSIONS } from './sessions.ts';
import type { ExportKind } from './table.ts';

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
];
