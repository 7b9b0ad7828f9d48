/** tau-bench and tau2-bench: the rewards in the same files as the runs. */
import { readTauOutcomes } from '../../ingest/formats/tau2-bench/tau-outcomes.ts';
import type { Harness } from './harness.ts';

export const tau: Harness = {
  name: 'tau-bench',
  labels: (document, path) => {
    const labels = readTauOutcomes(document, { path });
    if (labels.length === 0) return undefined;
    return labels.map(({ sessionId, outcome, task }) => ({
      outcome,
      ...(task !== undefined && { task }),
      of: { session: sessionId },
    }));
  },
};
