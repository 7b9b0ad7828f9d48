/** The one thing that deletes: what is older than a point in time, a part per transaction. */
import { invalid } from '../canonical.ts';
import type { PrunedKind } from '../store.ts';
import { pruneAlerts } from './alerts.ts';
import type { Connection } from './connection.ts';
import { pruneDecompositions, pruneDecompositionTexts } from './decompositions.ts';
import { pruneDeliveries } from './deliveries.ts';
import { APPROVALS, AUDIT, FEEDBACK, pruneKeyed, RATINGS } from './keyed-records.ts';
import { pruneRuns } from './runs.ts';
import { forgetUnusedGroups, pruneSessions } from './sessions.ts';

export type PruneStep = { readonly removed: number; readonly done: boolean };

const STEPS: Readonly<Record<PrunedKind, (connection: Connection, before: string) => PruneStep>> = {
  runs: (connection, before) => partly(pruneRuns(connection, before)),
  sessions: (connection, before) => {
    const step = partly(pruneSessions(connection, before));
    if (step.done) forgetUnusedGroups(connection);
    return step;
  },
  ratings: (connection, before) => atOnce(pruneKeyed(connection, RATINGS, before)),
  approvals: (connection, before) => atOnce(pruneKeyed(connection, APPROVALS, before)),
  alerts: (connection, before) => atOnce(pruneAlerts(connection, before)),
  audit: (connection, before) => atOnce(pruneKeyed(connection, AUDIT, before)),
  feedback: (connection, before) => atOnce(pruneKeyed(connection, FEEDBACK, before)),
  deliveries: (connection, before) => atOnce(pruneDeliveries(connection, before)),
  decompositions: (connection, before) => atOnce(pruneDecompositions(connection, before)),
  'decomposition-texts': (connection, before) => atOnce(pruneDecompositionTexts(connection, before)),
};

/** Inside a transaction. */
export function pruneStep(connection: Connection, kind: PrunedKind, before: string): PruneStep {
  if (!Object.hasOwn(STEPS, kind))
    throw invalid(`kind ${JSON.stringify(kind)}`, `must be one of ${Object.keys(STEPS).join(', ')}`);
  return STEPS[kind](connection, before);
}

function partly(removed: number): PruneStep {
  return { removed, done: removed === 0 };
}

function atOnce(removed: number): PruneStep {
  return { removed, done: true };
}
