/** Which sums of sessions are kept: each cube folds some dimensions, so that a question reads as few cells as it can. */
import { DIMENSIONS, type Dimension } from '../rollup.ts';

/** A `quarter` is that of a day. */
export type Grain = 'hour' | 'quarter' | 'day' | 'month';

export type Cube = {
  /** In the file; never given to another cube; 0 to 5, 7 and 11 were others. */
  readonly id: number;
  readonly grain: Grain;
  readonly dimensions: readonly Dimension[];
};

/** Those with the fewest cells first. A session may be narrowed by any of its models, and by its agent or its source. */
const BY_TYPE: readonly Dimension[] = ['taskType'];
const BY_AGENT: readonly Dimension[] = ['taskType', 'agent', 'source'];
const BY_MODEL: readonly Dimension[] = ['taskType', 'model', 'otherModels'];
const BY_PROJECT: readonly Dimension[] = ['taskType', 'project'];
const WITHOUT_PROJECT: readonly Dimension[] = ['taskType', 'model', 'agent', 'source', 'otherModels'];
const PROJECT_AND_AGENT: readonly Dimension[] = [...BY_AGENT, 'project'];
const PROJECT_AND_MODEL: readonly Dimension[] = [...BY_MODEL, 'project'];

const FEWEST_CELLS_FIRST: readonly (readonly Dimension[])[] = [
  BY_TYPE,
  BY_AGENT,
  BY_MODEL,
  BY_PROJECT,
  WITHOUT_PROJECT,
  PROJECT_AND_AGENT,
  PROJECT_AND_MODEL,
  DIMENSIONS,
];

/** Not divided by time or dimensions, but by what sessions were scored with. */
export const SCORING_CUBE = 6;

/**
 * Each costs every session a little when it is stored. Projects are many: together with everything else nearly every
 * session has a cell of its own, and reading cells is then no better than reading rows. So over days a project is
 * divided by agents or by models; what asks for both reads whole months, and at both ends rows, which have an index by
 * project. A period rarely begins at midnight: hours, and quarters of days where agents and models are both asked for,
 * leave few rows to read at its ends.
 */
export const CUBES: readonly Cube[] = [
  { id: 9, grain: 'day', dimensions: BY_TYPE },
  { id: 16, grain: 'month', dimensions: BY_TYPE },
  { id: 17, grain: 'hour', dimensions: BY_AGENT },
  { id: 18, grain: 'day', dimensions: BY_AGENT },
  { id: 19, grain: 'month', dimensions: BY_AGENT },
  { id: 20, grain: 'hour', dimensions: BY_MODEL },
  { id: 21, grain: 'day', dimensions: BY_MODEL },
  { id: 22, grain: 'month', dimensions: BY_MODEL },
  { id: 15, grain: 'day', dimensions: BY_PROJECT },
  { id: 14, grain: 'month', dimensions: BY_PROJECT },
  { id: 8, grain: 'quarter', dimensions: WITHOUT_PROJECT },
  { id: 10, grain: 'day', dimensions: WITHOUT_PROJECT },
  { id: 12, grain: 'month', dimensions: WITHOUT_PROJECT },
  { id: 23, grain: 'day', dimensions: PROJECT_AND_AGENT },
  { id: 24, grain: 'month', dimensions: PROJECT_AND_AGENT },
  { id: 25, grain: 'day', dimensions: PROJECT_AND_MODEL },
  { id: 26, grain: 'month', dimensions: PROJECT_AND_MODEL },
  { id: 13, grain: 'month', dimensions: DIMENSIONS },
];

/** Those with the fewest cells of a bucket first. */
export function byCells(a: Cube, b: Cube): number {
  return FEWEST_CELLS_FIRST.indexOf(a.dimensions) - FEWEST_CELLS_FIRST.indexOf(b.dimensions);
}

/** The bucket of sessions whose start is unknown: before every other one. */
export const UNKNOWN = -1_000_000_000;
