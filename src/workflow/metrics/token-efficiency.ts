import { estimate, unmeasured } from '../../measure/metric.ts';
import { detectionPoints, totalTokens } from '../counts.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { meanOverRuns } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const tokenEfficiency: ReviewMetric = {
  id: 'workflow/te',
  file: 'token-efficiency',
  label: 'TE',
  title: 'Token efficiency',
  question: 'How much detection do a thousand tokens buy?',
  formula:
    'points found / (agent tokens + workflow tokens) × 1000; points as in the weighted detection score',
  unit: 'points-per-1k-tokens',
  range: [0, Number.POSITIVE_INFINITY],
  better: 'higher',
  zones: { fail: 0.1, target: 0.1, excellent: 0.5 },
  pastLine: true,
  example: {
    given: '7.5 points for 20,000 agent tokens and 5,000 workflow tokens',
    cases: [evidenceWith({ errors: SIX_ERRORS, agentTokens: 20_000, workflowTokens: 5000 })],
    value: 0.3,
  },
  compute: (runs) =>
    meanOverRuns(runs, [0, Number.POSITIVE_INFINITY], (run) => {
      const [{ earned, most }, tokens] = [detectionPoints(run), totalTokens(run)];
      if (most === 0) return unmeasured('the ground truth expects no errors');
      if (typeof tokens !== 'number') return unmeasured(tokens.missing);
      return estimate((earned / tokens) * 1000, tokens);
    }),
};
