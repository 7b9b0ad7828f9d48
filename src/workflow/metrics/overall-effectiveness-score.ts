import { composite } from '../../judge/composite.ts';
import { estimate, type Measurement } from '../../measure/metric.ts';
import type { RunEvidence } from '../evidence.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { meanOverRuns } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';
import { OES_COMPONENTS, OES_WEIGHTS, type OesComponent } from '../weights.ts';
import { depthQuality } from './depth-quality.ts';
import { precision } from './precision.ts';
import { tokenEfficiency } from './token-efficiency.ts';
import { weightedDetectionScore } from './weighted-detection-score.ts';

/** Each component on 0–100; what goes beyond is cut. */
const ON_A_HUNDRED: Readonly<Record<OesComponent, readonly [ReviewMetric, factor: number]>> = {
  wds: [weightedDetectionScore, 1],
  precision: [precision, 100],
  dq: [depthQuality, 20],
  te: [tokenEfficiency, 100],
};

/** With fewer components their weights are stretched to 1; the coverage says how much of the score they are. */
export function overallEffectivenessWith(components: readonly OesComponent[] = OES_COMPONENTS): ReviewMetric {
  const named = OES_COMPONENTS.filter((one) => components.includes(one));
  const weight = named.reduce((sum, one) => sum + OES_WEIGHTS[one], 0);
  const all = named.length === OES_COMPONENTS.length;
  return {
    id: 'workflow/oes',
    file: 'overall-effectiveness-score',
    label: 'OES',
    title: 'Overall effectiveness',
    question: 'How good is the review, in one number?',
    formula: all
      ? '0.40 × WDS + 0.25 × precision × 100 + 0.20 × DQ × 20 + 0.15 × TE × 100, each part cut at 100; unmeasured when a part is'
      : `the documented weights of ${named.join(', ')}, stretched to sum to 1; each part cut at 100`,
    unit: 'percent',
    range: [0, 100],
    better: 'higher',
    example: OES_EXAMPLE,
    compute: (runs) =>
      meanOverRuns(runs, [0, 100], (run) => {
        const parts = named.map((id) => ({
          id,
          weight: all ? OES_WEIGHTS[id] : OES_WEIGHTS[id] / weight,
          measurement: onAHundred(id, run),
        }));
        const { measurement } = composite(parts, 'unmeasured');
        return measurement.measured
          ? estimate(measurement.value, run.errors.length, { coverage: weight })
          : measurement;
      }),
  };
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
