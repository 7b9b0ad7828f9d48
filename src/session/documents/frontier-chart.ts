import type { ScatterChart } from '../../report/chart.ts';
import type { TypeFrontier } from '../pricing/type-frontier.ts';

/** One picture per task type with two models or more, by mean cost and mean Q, with the line that nothing beats. */
export function frontierCharts(frontiers: readonly TypeFrontier[]): ScatterChart[] {
  return frontiers.filter(({ points }) => points.length > 1).map(chartOf);
}

function chartOf({ taskType, points }: TypeFrontier): ScatterChart {
  // A logarithmic axis has no place for what costs nothing.
  const shown = points.filter(({ meanCostUsd }) => meanCostUsd > 0);
  const best = points.filter(({ place }) => place === 'frontier');
  return {
    kind: 'scatter',
    title: `${taskType}: nothing is better for less than ${best.map(({ key }) => key).join(', ')}`,
    x: { label: 'mean cost per session', unit: 'usd', scale: 'log' },
    y: { label: 'mean Q', unit: 'score' },
    points: shown.map(({ key, meanCostUsd, meanQ, interval, place }) => ({
      label: key,
      x: meanCostUsd,
      y: meanQ,
      ...(interval && { low: interval.low, high: interval.high }),
      group: place,
    })),
    frontier: shown
      .filter(({ place }) => place === 'frontier')
      .map(({ meanCostUsd, meanQ }) => ({ x: meanCostUsd, y: meanQ })),
  };
}
