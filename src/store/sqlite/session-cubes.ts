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
 * Each costs every session a little when it is stored. Projects are many: together with everything else nearly every
 * session has a cell of its own, and reading cells is then no better than reading rows. So over hours and days a project
 * stands alone; what asks for more reads whole months, and at both ends rows, which have an index by project.
 */
export const CUBES: readonly Cube[] = [
  { id: 0, grain: 'hour', dimensions: WITHOUT_PROJECT },
  { id: 1, grain: 'hour', dimensions: ['project'] },
  { id: 2, grain: 'day', dimensions: WITHOUT_PROJECT },
  { id: 3, grain: 'day', dimensions: ['project'] },
  { id: 4, grain: 'month', dimensions: WITHOUT_PROJECT },
  { id: 5, grain: 'month', dimensions: DIMENSIONS },
];

/** Not divided by time or dimensions, but by what sessions were scored with. */
export const SCORING_CUBE = 6;

/** The bucket of sessions whose start is unknown: before every other one. */
export const UNKNOWN = -1_000_000_000;
