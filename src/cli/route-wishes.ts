/** What a person may wish of the model that takes a task. */
import { ROUTE_WISHES } from '../operations/session/plan-routes.ts';
import type { RouteWishes } from '../session/routing/policy.ts';
import type { Arguments, Options } from './command.ts';
import { positive } from './sessions/positive.ts';
import { shareOption } from './sessions/share-option.ts';

const { aims, usual } = ROUTE_WISHES;

export const WISHES_OPTIONS: Options = {
  aim: {
    type: 'string',
    choices: aims,
    default: usual.aim,
    doc: 'cost: the cheapest that is good enough; quality: the best that is cheap enough',
  },
  floor: {
    type: 'string',
    value: '0..1',
    doc: 'Mean Q that a model must reach (default: that of now, less the margin)',
  },
  margin: {
    type: 'string',
    value: '0..1',
    doc: `So much less Q counts as the same (default: ${usual.margin})`,
  },
  'max-cost': { type: 'string', value: 'USD', doc: 'A session may cost so much in the mean' },
  least: {
    type: 'string',
    value: 'N',
    doc: `Sessions of a model before anything is said of it (default: ${usual.least})`,
  },
  explore: {
    type: 'string',
    value: '0..1',
    doc: 'Share of the tasks for models of which too little is known (default: 0)',
  },
};

export function wishesOf(args: Arguments): RouteWishes {
  const [floor, capUsd] = [shareOption(args, 'floor'), positive(args, 'max-cost')];
  return {
    aim: args.values.aim === 'quality' ? 'quality' : 'cost',
    margin: shareOption(args, 'margin') ?? usual.margin,
    least: Math.max(2, positive(args, 'least') ?? usual.least),
    explore: shareOption(args, 'explore') ?? usual.explore,
    floor,
    capUsd,
  };
}
