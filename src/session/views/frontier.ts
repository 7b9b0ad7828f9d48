import type { FrontierResult } from '../../operations/session/measure-roi.ts';
import { carry } from '../../report/action.ts';
import type { ScatterChart } from '../../report/chart.ts';
import { type Block, type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { TypeFrontier } from '../pricing/frontier.ts';
import { MIN_SESSIONS } from '../pricing/worth.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT, LOWER_BOUND, meanQOf, POINT, worthWords } from './wording.ts';

export function frontierView({ by, frontiers }: FrontierResult, given?: SessionsGiven): View {
  return {
    title: 'Cost–quality frontier',
    answer:
      frontiers.length === 0
        ? 'No session with both a Q and a known cost.'
        : `For each ${by} on the frontier, none is better for less. The others are “below” only when the 95% interval shows it, else “unclear”; fewer than ${MIN_SESSIONS} sessions are too few to tell.`,
    blocks: [
      ...frontiers.map((one) => frontierTable(one, by)),
      ...worthList(frontiers),
      ...frontierCharts(frontiers, by).map((chart) => ({ kind: 'chart' as const, chart, repeats: true })),
    ],
    notes: [BLIND_SPOT, ...(isLowerBound(frontiers) ? [LOWER_BOUND] : [])],
    next: nextStep('roi', given, { options: given ? carry(given.options, ['by']) : {} }),
  };
}

function isLowerBound(frontiers: readonly TypeFrontier[]): boolean {
  return frontiers.some(({ points }) => points.some((point) => point.costIsLowerBound));
}

function frontierTable({ taskType, points }: TypeFrontier, by: FrontierResult['by']): TableBlock {
  const isAtLeast = points.some((one) => one.costIsLowerBound);
  return tableOf(`Frontier: ${taskType}`, points, [
    { key: 'key', title: by, unit: 'name' },
    { key: 'n', unit: 'count' },
    { key: 'q', title: 'mean Q', unit: 'score', of: meanQOf },
    {
      key: 'cost',
      title: isAtLeast ? 'cost ≥' : 'mean cost',
      unit: 'usd',
      of: ({ meanCostUsd }) => meanCostUsd,
    },
    {
      key: 'place',
      title: 'frontier',
      min: 8,
      of: ({ place }) =>
        place === 'frontier' ? 'on it' : place === 'too few' ? `too few (${MIN_SESSIONS})` : place,
    },
    {
      key: 'beaten_by',
      title: 'cheaper rival',
      unit: 'name',
      of: ({ place, beatenBy }) => (place === 'frontier' ? '' : beatenBy),
    },
  ]);
}

/** Neighbours on the frontier: what the more expensive one gives for what it costs more. */
export function worthList(frontiers: readonly TypeFrontier[]): Block[] {
  const items = frontiers.flatMap(({ taskType, comparisons }) =>
    comparisons.map(({ expensive, cheaper, worth }) => worthWords(taskType, expensive, cheaper, worth)),
  );
  return items.length === 0
    ? []
    : [{ kind: 'list', title: 'Is the more expensive model worth it?', items: [...items, POINT] }];
}

/** One picture per task type with two models or more, by mean cost and mean Q, with the line that nothing beats. */
export function frontierCharts(frontiers: readonly TypeFrontier[], by = 'model'): ScatterChart[] {
  return frontiers.filter(({ points }) => points.length > 1).map((one) => chartOf(one, by));
}

function chartOf({ taskType, points, dots = [] }: TypeFrontier, by: string): ScatterChart {
  // A logarithmic axis has no place for what costs nothing.
  const shown = points.filter(({ meanCostUsd }) => meanCostUsd > 0);
  const best = points.filter(({ place }) => place === 'frontier');
  const names = best.map(({ key }) => key).join(', ');
  return {
    kind: 'scatter',
    title:
      best.length === 0
        ? `${taskType}: fewer than ${MIN_SESSIONS} sessions of each ${by}, too few to say which is better for less`
        : `${taskType}: nothing is better for less than ${names}`,
    x: { label: 'mean cost per session', unit: 'usd', scale: 'log' },
    y: { label: 'mean Q', unit: 'score' },
    points: shown.map(({ key, meanCostUsd, meanQ, interval, place }) => ({
      label: key,
      x: meanCostUsd,
      y: meanQ,
      ...(interval && { low: interval.low, high: interval.high }),
      group: place,
    })),
    dots: dots.filter(({ costUsd }) => costUsd > 0).map(({ q, costUsd }) => ({ x: costUsd, y: q })),
    frontier: shown
      .filter(({ place }) => place === 'frontier')
      .map(({ meanCostUsd, meanQ }) => ({ x: meanCostUsd, y: meanQ })),
  };
}
