import type { z } from 'zod';
import type { ComparedFrontier, PairWorth } from '../../session/pricing/frontier.ts';
import type { PointCost } from '../../session/pricing/point-cost.ts';
import type { Difference } from '../../session/pricing/worth.ts';
import type { FrontierResult } from '../../session/results.ts';
import type { frontier as schema } from '../schema/frontier.ts';
import { encodeMeasurement } from './measurement.ts';

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
  const { key, n, meanQ, interval, priced, meanCostUsd, place, beatenBy } = point;
  return {
    key,
    q: encodeMeasurement({ measured: true, value: meanQ, n, ...interval }),
    cost_usd: encodeMeasurement({ measured: true, value: meanCostUsd, n: priced }),
    place,
    beaten_by: beatenBy ?? null,
  };
}

function encodeComparison({ expensive, cheaper, worth }: PairWorth): TypeWire['comparisons'][number] {
  const { n, meanQ, meanCostUsd, costRatio, quality, margin, verdict, because, neededPerModel } = worth;
  const side = (key: string, which: 'expensive' | 'cheaper') => ({
    key,
    q: encodeMeasurement({ measured: true, value: meanQ[which], n: n[which] }),
    cost_usd: encodeMeasurement({ measured: true, value: meanCostUsd[which], n: n[which] }),
    point_usd: points(worth.pointUsd[which], n[which], 'its Q is 0'),
  });
  const difference = ({ value, interval }: Difference) =>
    encodeMeasurement({ measured: true, value, n: n.expensive + n.cheaper, ...interval });
  return {
    dearer: side(expensive, 'expensive'),
    cheaper: side(cheaper, 'cheaper'),
    cost_ratio: costRatio ?? null,
    quality: difference(quality),
    margin:
      margin === undefined
        ? encodeMeasurement({ measured: false, reason: 'the cheaper one is free' })
        : difference(margin),
    out_of_reach: worth.outOfReach === true,
    further_point_usd: points(worth.furtherPointUsd, n.expensive + n.cheaper, 'its Q is not surely higher'),
    cost_usd_is_lower_bound: worth.costIsLowerBound === true,
    verdict,
    because,
    needed_per_model: neededPerModel ?? null,
  };
}

function points(cost: PointCost | undefined, n: number, reason: string) {
  return encodeMeasurement(
    cost === undefined
      ? { measured: false, reason }
      : { measured: true, value: cost.value, n, ...cost.interval },
  );
}
