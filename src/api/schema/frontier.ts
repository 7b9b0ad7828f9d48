import { z } from 'zod';
import { estimate, unmeasured } from '../../measure/metric.ts';
import type { TypeFrontier } from '../../session/pricing/frontier.ts';
import type { Difference, PointCost } from '../../session/pricing/worth.ts';
import { from } from '../wire.ts';
import { head, measurement } from './parts.ts';
import { taskType } from './task-type.ts';

const quality = measurement.describe('Mean over the sessions with a Q');
const cost = measurement.describe('Mean over those whose cost is known too');

type PairWorth = TypeFrontier['comparisons'][number];
type Point = TypeFrontier['points'][number];

const point = z.strictObject({
  key: z.string().describe('The model or agent'),
  q: from(({ meanQ, n, interval }: Point) => estimate(meanQ, n, interval), quality),
  cost_usd: from(({ meanCostUsd, priced }: Point) => estimate(meanCostUsd, priced), cost),
  place: z.enum(['frontier', 'below', 'unclear', 'too few']),
  beaten_by: z.string().nullable().describe('The best point that costs no more'),
});

const side = z.strictObject({
  key: z.string(),
  q: quality,
  cost_usd: cost,
  point_usd: measurement.describe('Dollars for a point of Q, a hundredth'),
});

function sideOf(which: 'expensive' | 'cheaper') {
  return from(({ worth, ...keys }: PairWorth) => {
    const n = worth.n[which];
    return {
      key: keys[which],
      q: estimate(worth.meanQ[which], n),
      costUsd: estimate(worth.meanCostUsd[which], n),
      pointUsd: pointOf(worth.pointUsd[which], n, 'its Q is 0'),
    };
  }, side);
}

function pointOf(one: PointCost | undefined, n: number, reason: string) {
  return one === undefined ? unmeasured(reason) : estimate(one.value, n, one.interval);
}

function differenceOf({ value, interval }: Difference, { worth }: PairWorth) {
  return estimate(value, worth.n.expensive + worth.n.cheaper, interval);
}

const comparison = z.strictObject({
  expensive: sideOf('expensive'),
  cheaper: sideOf('cheaper'),
  cost_ratio: from('worth.costRatio', z.number().nullable().describe('`null`: the cheaper one is free')),
  quality: from(
    (pair: PairWorth) => differenceOf(pair.worth.quality, pair),
    measurement.describe('Mean Q of the more expensive − mean Q of the cheaper'),
  ),
  margin: from(
    (pair: PairWorth) =>
      pair.worth.margin === undefined
        ? unmeasured('the cheaper one is free')
        : differenceOf(pair.worth.margin, pair),
    measurement.describe('Q of the more expensive − cost ratio × Q of the cheaper'),
  ),
  out_of_reach: from(
    ({ worth }: PairWorth) => worth.outOfReach === true,
    z.boolean().describe('`true`: the documented criterion asks for more than a Q of 1'),
  ),
  further_point_usd: from(
    ({ worth: { furtherPointUsd, n } }: PairWorth) =>
      pointOf(furtherPointUsd, n.expensive + n.cheaper, 'its Q is not surely higher'),
    measurement.describe('Dollars for each point that the more expensive one has more'),
  ),
  cost_usd_is_lower_bound: from(
    ({ worth }: PairWorth) => worth.costIsLowerBound === true,
    z.boolean().describe('`true`: the costs of a side are at least these'),
  ),
  verdict: from('worth.verdict', z.enum(['worth it', 'not worth it', 'too few to tell'])),
  because: from('worth.because', z.string()),
  needed_per_model: from(
    'worth.neededPerModel',
    z.number().nullable().describe('Sessions of each that would tell'),
  ),
});

/** What nothing beats for less, per task type, and whether the more expensive of two neighbours is worth it. */
export const frontier = z.strictObject({
  ...head('assay-frontier'),
  by: z.enum(['model', 'agent']),
  task_types: from(
    'frontiers',
    z.array(
      z.strictObject({ task_type: taskType, points: z.array(point), comparisons: z.array(comparison) }),
    ),
  ),
});
