import { composite } from '../../judge/composite.ts';
import { estimate, type Measurement } from '../../measure/metric.ts';
import type { RunEvidence } from '../evidence.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { meanOverRuns } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';
import {
  countedIn,
  isDocumented,
  OES_COMPONENTS,
  OES_WEIGHTS,
  type OesChoice,
  type OesComponent,
  type OesWeights,
} from '../weights.ts';
import { depthQuality } from './depth-quality.ts';
import { precision } from './precision.ts';
import { tokenEfficiency } from './token-efficiency.ts';
import { weightedDetectionScore } from './weighted-detection-score.ts';

/** Each component on a scale of 0–100; values beyond are clipped. */
const ON_A_HUNDRED: Readonly<Record<OesComponent, readonly [ReviewMetric, factor: number]>> = {
  wds: [weightedDetectionScore, 1],
  precision: [precision, 100],
  dq: [depthQuality, 20],
  te: [tokenEfficiency, 100],
};

/**
 * If components are missing, the weights of the others are scaled up to 1; the coverage says how much of the score they
 * are.
 */
export function overallEffectivenessWith(choice: OesChoice = { components: OES_COMPONENTS }): ReviewMetric {
  const { weights = OES_WEIGHTS } = choice;
  const named = countedIn(choice);
  const weight = named.reduce((sum, one) => sum + weights[one], 0);
  return {
    id: 'workflow/oes',
    file: 'overall-effectiveness-score',
    label: 'OES',
    title: 'Overall effectiveness',
    question: 'How good is the review, in one number?',
    formula: formulaOf(named, weights),
    unit: 'percent',
    range: [0, 100],
    better: 'higher',
    example: OES_EXAMPLE,
    compute: (runs) =>
      meanOverRuns(runs, [0, 100], (run) => {
        const parts = named.map((id) => ({
          id,
          weight: isWhole(weight) ? weights[id] : weights[id] / weight,
          measurement: onAHundred(id, run),
        }));
        const { measurement } = composite(parts, 'unmeasured');
        return measurement.measured
          ? estimate(measurement.value, run.errors.length, { coverage: isWhole(weight) ? 1 : weight })
          : measurement;
      }),
  };
}

/** Custom weights may differ from a sum of 1 by rounding. */
function isWhole(weight: number): boolean {
  return Math.abs(weight - 1) <= 1e-9;
}

const PARTS: Readonly<Record<OesComponent, string>> = {
  wds: 'WDS',
  precision: 'precision × 100',
  dq: 'DQ × 20',
  te: 'TE × 100',
};

function formulaOf(named: readonly OesComponent[], weights: OesWeights): string {
  const isOwn = !isDocumented(weights);
  if (!isOwn && named.length < OES_COMPONENTS.length)
    return `the documented weights of ${named.join(', ')}, stretched to sum to 1; each part cut at 100`;
  const sum = named.map((one) => `${weights[one].toFixed(2)} × ${PARTS[one]}`).join(' + ');
  return `${sum}, each part cut at 100; unmeasured when a part is${isOwn ? '; these weights are yours' : ''}`;
}

function onAHundred(id: OesComponent, run: RunEvidence): Measurement {
  const [metric, factor] = ON_A_HUNDRED[id];
  const measurement = metric.compute([run]);
  if (!measurement.measured) return measurement;
  return estimate(Math.min(100, Math.max(0, measurement.value * factor)), measurement.n);
}

const OES_EXAMPLE: ReviewMetric['example'] = {
  given:
    'WDS 57.7 (7.5 of 13 points), precision 1, DQ 3.5, TE 0.3: 0.40 × 57.7 + 0.25 × 100 + 0.20 × 70 + 0.15 × 30',
  cases: [
    evidenceWith({
      errors: SIX_ERRORS,
      depths: ['ROOT_CAUSE', 'ASSUMPTION', 'STRUCTURE', 'CAUSE'],
      agentTokens: 20_000,
      workflowTokens: 5000,
    }),
  ],
  value: 66.58,
};

export const overallEffectiveness: ReviewMetric = overallEffectivenessWith();
