import { formatScore } from '../../../../src/report/number.ts';
import type { Frontier } from '../../api/shapes.ts';
import { namesAmong, shortModel } from './session-filters.ts';

type Comparison = Frontier['task_types'][number]['comparisons'][number];

/** `opus costs 4.1 × for +0.03 Q on coding: too few to tell` */
export function worthTitle(type: string, comparison: Comparison | undefined): string {
  if (comparison === undefined) return `Cost and quality on ${type}`;
  const { dearer, cheaper, cost_ratio: ratio, quality, verdict } = comparison;
  const nameOf = namesAmong([dearer.key, cheaper.key], shortModel);
  const gain = quality.value === null ? '' : ` for ${gainOf(quality.value)}`;
  const costs =
    ratio === null
      ? `${nameOf(cheaper.key)} is free`
      : `${nameOf(dearer.key)} costs ${ratio.toFixed(1)} × ${nameOf(cheaper.key)}`;
  return `${type}: ${costs}${gain}: ${verdict}`;
}

/** What rounds to nothing is said to be nothing. */
function gainOf(value: number): string {
  if (Math.abs(value) < 0.005) return 'the same Q';
  return `${value > 0 ? '+' : ''}${formatScore(value)} Q`;
}
