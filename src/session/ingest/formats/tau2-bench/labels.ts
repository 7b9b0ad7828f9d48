/** tau-bench and tau2-bench: the rewards in the same files as the runs. */

import type { Harness } from '../harness.ts';
import { readTauOutcomes } from './tau-outcomes.ts';

export const harness: Harness = {
  name: 'tau-bench',
  labels: (document, path) => {
    const labels = readTauOutcomes(document, { path });
    if (labels.length === 0) return undefined;
    return labels.map(({ sessionId, outcome, task }) => ({
      outcome,
      task,
      of: { session: sessionId },
    }));
  },
};
