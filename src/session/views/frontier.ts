import type { FrontierResult } from '../../operations/session/measure-roi.ts';
import { carry } from '../../report/action.ts';
import type { ScatterChart } from '../../report/chart.ts';
import { formatAmount } from '../../report/number.ts';
import { type Block, type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { ComparedFrontier, TypeFrontier } from '../pricing/frontier.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT, LOWER_BOUND, meanQOf, POINT, worthWords } from './wording.ts';

export function frontierView({ by, frontiers }: FrontierResult, given?: SessionsGiven): View {
  return {
    title: 'Cost–quality frontier',
    answer:
      frontiers.length === 0
        ? 'No session with both a Q and a known cost.'
        : 'On the frontier nothing is better for less. A point is below it only when its interval says so.',
    blocks: [
      ...frontiers.map((one) => frontierTable(one, by)),
      ...worthList(frontiers),
      ...frontierCharts(frontiers).map((chart) => ({ kind: 'chart' as const, chart, repeats: true })),
    ],
    notes: [BLIND_SPOT, ...(isLowerBound(frontiers) ? [LOWER_BOUND] : [])],
    next: nextStep('roi', given, { options: given ? carry(given.options, ['by']) : {} }),
  };
}

function isLowerBound(frontiers: readonly ComparedFrontier[]): boolean {
  return frontiers.some(({ points }) => points.some((point) => point.costIsLowerBound));
}

function frontierTable({ taskType, points }: ComparedFrontier, by: FrontierResult['by']): TableBlock {
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
      of: ({ place }) => (place === 'frontier' ? 'on it' : place),
    },
    {
      key: 'beaten_by',
      title: 'for no more',
      unit: 'name',
      of: ({ place, beatenBy }) => (place === 'frontier' ? '' : beatenBy),
    },
  ]);
}

/** With fewer sessions of a side than this nothing is claimed. */
const MIN_SHOWN = 10;

function worthList(frontiers: readonly ComparedFrontier[]): Block[] {
  const all = frontiers.flatMap(({ taskType, comparisons }) =>
    comparisons.map((one) => ({ ...one, taskType })),
  );
  const compared = all.filter(({ worth }) => Math.min(worth.n.expensive, worth.n.cheaper) >= MIN_SHOWN);
  const few = all.length - compared.length;
  const items = [
    ...compared.map(({ taskType, expensive, cheaper, worth }) =>
      worthWords(taskType, expensive, cheaper, worth),
    ),
    ...(few > 0
      ? [`${formatAmount(few, 'pair')} with fewer than ${MIN_SHOWN} sessions of one side: too few to tell`]
      : []),
    ...(compared.length > 0 ? [POINT] : []),
  ];
  return items.length === 0 ? [] : [{ kind: 'list', title: 'Is the more expensive one worth it?', items }];
}

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
