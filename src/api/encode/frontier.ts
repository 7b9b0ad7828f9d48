import type { z } from 'zod';
import type { ComparedFrontier, WorthOfDearer } from '../../session/pricing/type-frontier.ts';
import type { Difference } from '../../session/pricing/worth.ts';
import type { FrontierResult } from '../../session/results.ts';
import type { frontier as schema } from '../schema/frontier.ts';

type FrontierWire = z.infer<typeof schema>;
type TypeWire = FrontierWire['task_types'][number];

export function encodeFrontier({ by, frontiers }: FrontierResult): FrontierWire {
  return {
    format: 'assay-frontier',
    version: 1,
    by,
    task_types: frontiers.map(({ taskType, points, comparisons }) => ({
      task_type: taskType,
      points: points.map(encodePoint),
      comparisons: comparisons.map(encodeComparison),
    })),
  };
}

function encodePoint(point: ComparedFrontier['points'][number]): TypeWire['points'][number] {
  const { key, n, meanQ, interval, meanCostUsd, place, beatenBy } = point;
  return {
    key,
    n,
    mean_q: meanQ,
    q_low: interval?.low ?? null,
    q_high: interval?.high ?? null,
    mean_cost_usd: meanCostUsd,
    place,
    beaten_by: beatenBy ?? null,
  };
}

function encodeComparison({ dearer, cheaper, worth }: WorthOfDearer): TypeWire['comparisons'][number] {
  return {
    dearer,
    cheaper,
    n: worth.n,
    mean_q: worth.meanQ,
    mean_cost_usd: worth.meanCostUsd,
    cost_ratio: worth.costRatio ?? null,
    quality: encodeDifference(worth.quality),
    margin: worth.margin === undefined ? null : encodeDifference(worth.margin),
    verdict: worth.verdict,
    because: worth.because,
    needed_per_model: worth.neededPerModel ?? null,
  };
}

function encodeDifference({ value, interval }: Difference) {
  return { value, low: interval?.low ?? null, high: interval?.high ?? null };
}
