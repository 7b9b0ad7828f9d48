import type { Route } from '../route.ts';
import { ABOUT } from './about.ts';
import { ALERTS } from './alerts.ts';
import { AUDIT } from './audit.ts';
import { DECOMPOSITION } from './decomposition.ts';
import { DECOMPOSITION_RATINGS } from './decomposition-ratings.ts';
import { DECOMPOSITIONS } from './decompositions.ts';
import { describeRoutes } from './describe.ts';
import { EVENTS } from './events.ts';
import { EXPERIMENTS } from './experiments.ts';
import { GOLDEN } from './golden.ts';
import { INTAKE } from './intake.ts';
import { mcpRoutes } from './mcp.ts';
import { MODEL_ROUTING } from './model-routing.ts';
import { OVERVIEW } from './overview.ts';
import { PROMETHEUS } from './prometheus.ts';
import { RATINGS } from './ratings.ts';
import { RUNS } from './runs.ts';
import { SESSION } from './session.ts';
import { SESSION_EXPORT } from './session-export.ts';
import { SESSION_NAMES } from './session-names.ts';
import { SESSIONS } from './sessions.ts';
import { WORKFLOW } from './workflow.ts';
import { WORKFLOW_BLIND } from './workflow-blind.ts';

/** Every address that is answered, in the order in which it is described. */
export const ROUTES: readonly Route[] = [
  ...OVERVIEW,
  ...SESSIONS,
  ...MODEL_ROUTING,
  ...SESSION_NAMES,
  ...SESSION_EXPORT,
  ...INTAKE,
  ...SESSION,
  ...RATINGS,
  ...RUNS,
  ...DECOMPOSITION,
  ...GOLDEN,
  ...EXPERIMENTS,
  ...DECOMPOSITIONS,
  ...DECOMPOSITION_RATINGS,
  ...WORKFLOW,
  ...WORKFLOW_BLIND,
  ...ALERTS,
  ...AUDIT,
  ...ABOUT,
  ...EVENTS,
  ...PROMETHEUS,
  ...mcpRoutes(() => ROUTES),
  ...describeRoutes(() => ROUTES),
];
