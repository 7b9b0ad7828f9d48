import type { Route } from '../route.ts';
import { ALERTS } from './alerts.ts';
import { DECOMPOSITION } from './decomposition.ts';
import { EVENTS } from './events.ts';
import { HEALTH } from './health.ts';
import { METRICS } from './metrics.ts';
import { OVERVIEW } from './overview.ts';
import { RUNS } from './runs.ts';
import { SESSIONS } from './sessions.ts';
import { WORKFLOW } from './workflow.ts';
import { WORKFLOW_BLIND } from './workflow-blind.ts';

/** Every address that is answered, in the order in which it is described. */
export const ROUTES: readonly Route[] = [
  ...OVERVIEW,
  ...SESSIONS,
  ...RUNS,
  ...DECOMPOSITION,
  ...WORKFLOW,
  ...WORKFLOW_BLIND,
  ...ALERTS,
  ...METRICS,
  ...EVENTS,
  ...HEALTH,
];
