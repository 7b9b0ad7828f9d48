/** Which sums of sessions are kept: each cube folds some dimensions, so that a question reads as few cells as it can. */
import { type Bucket, DIMENSIONS, type Dimension } from '../rollup.ts';

export type Cube = {
  /** In the file; never given to another cube. */
  readonly id: number;
  readonly grain: Exclude<Bucket, 'week'>;
  readonly dimensions: readonly Dimension[];
};

const WITHOUT_PROJECT: readonly Dimension[] = ['taskType', 'model', 'agent', 'source'];

/**
 * The first holds everything there is. Projects are many, and together with models nearly every session has a cell of
 * its own: that is why they are folded, or joined to the task type only, over a day.
 */
export const CUBES: readonly Cube[] = [
  { id: 0, grain: 'hour', dimensions: DIMENSIONS },
  { id: 1, grain: 'day', dimensions: WITHOUT_PROJECT },
  { id: 2, grain: 'day', dimensions: ['taskType', 'project'] },
  { id: 3, grain: 'month', dimensions: DIMENSIONS },
  { id: 4, grain: 'month', dimensions: WITHOUT_PROJECT },
];

/** The bucket of sessions whose start is unknown: before every other one. */
export const UNKNOWN = -1_000_000_000;
