/** Which sums of sessions are kept: each cube folds some dimensions, so that a question reads as few cells as it can. */
import { DIMENSIONS, type Dimension } from '../rollup.ts';

/** A `quarter` is that of a day. */
export type Grain = 'quarter' | 'day' | 'month';

export type Cube = {
  /** In the file; never given to another cube; 0 to 5, 7 and 11 were others. */
  readonly id: number;
  readonly grain: Grain;
  readonly dimensions: readonly Dimension[];
};

const WITHOUT_PROJECT: readonly Dimension[] = ['taskType', 'model', 'agent', 'source', 'otherModels'];

/** Not divided by time or dimensions, but by what sessions were scored with. */
export const SCORING_CUBE = 6;

/**
 * Each costs every session a little when it is stored. Projects are many: together with everything else nearly every
 * session has a cell of its own, and reading cells is then no better than reading rows. So over days a project is
 * divided by task type alone; what asks for more reads whole months, and at both ends rows, which have an index by project. A period rarely
 * begins at midnight: quarters of days leave few rows to read at its ends. Hours are asked of the last days: by rows.
 */
export const CUBES: readonly Cube[] = [
  { id: 8, grain: 'quarter', dimensions: WITHOUT_PROJECT },
  { id: 9, grain: 'day', dimensions: ['taskType'] },
  { id: 10, grain: 'day', dimensions: WITHOUT_PROJECT },
  { id: 15, grain: 'day', dimensions: ['taskType', 'project'] },
  { id: 12, grain: 'month', dimensions: WITHOUT_PROJECT },
  { id: 13, grain: 'month', dimensions: DIMENSIONS },
  { id: 14, grain: 'month', dimensions: ['taskType', 'project'] },
];

/** The bucket of sessions whose start is unknown: before every other one. */
export const UNKNOWN = -1_000_000_000;
