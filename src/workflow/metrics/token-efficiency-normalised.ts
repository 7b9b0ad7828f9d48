import { estimate, unmeasured } from '../../measure/metric.ts';
import { detectionPoints, totalTokens } from '../counts.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { meanOverRuns } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const tokenEfficiencyNormalised: ReviewMetric = {
  id: 'workflow/te-normalised',
  file: 'token-efficiency-normalised',
  title: 'Token efficiency, normalised',
  aside: true,
  question: 'How much of what there is to find do a thousand tokens buy, so that tasks can be compared?',
  formula: 'token efficiency / points that the task has',
  unit: 'points-per-1k-tokens',
  range: [0, Number.POSITIVE_INFINITY],
  better: 'higher',
  example: {
    given: '7.5 of 13 points for 25,000 tokens: 0.3 / 13',
    cases: [evidenceWith({ errors: SIX_ERRORS, agentTokens: 20_000, workflowTokens: 5000 })],
    value: 0.0231,
  },
  compute: (runs) =>
    meanOverRuns(runs, [0, Number.POSITIVE_INFINITY], (run) => {
      const [{ earned, most }, tokens] = [detectionPoints(run), totalTokens(run)];
      if (most === 0) return unmeasured('the ground truth expects no errors');
      if (typeof tokens !== 'number') return unmeasured(tokens.missing);
      return estimate((earned / most / tokens) * 1000, tokens);
    }),
};
