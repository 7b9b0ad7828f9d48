/** Which sums of sessions are kept: each cube folds some dimensions, so that a question reads as few cells as it can. */
import { DIMENSIONS, type Dimension } from '../rollup.ts';

/** A `quarter` is that of a day. */
export type Grain = 'hour' | 'quarter' | 'day' | 'month';

export type Cube = {
  /** In the file; never given to another cube; 0 to 5, 7, 8, 11 and 25 were others. */
  readonly id: number;
  readonly grain: Grain;
  readonly dimensions: readonly Dimension[];
};

/**
 * Those with the fewest cells first. A session may be narrowed by any of its models, and by its agent or its source;
 * whoever does not ask for the other models reads far fewer cells without them.
 */
const BY_TYPE: readonly Dimension[] = ['taskType'];
const BY_AGENT: readonly Dimension[] = ['taskType', 'agent', 'source'];
const BY_MODEL: readonly Dimension[] = ['taskType', 'model'];
const AGENT_AND_MODEL: readonly Dimension[] = [...BY_AGENT, 'model'];
const BY_PROJECT: readonly Dimension[] = ['taskType', 'project'];
const ANY_MODEL: readonly Dimension[] = [...BY_MODEL, 'otherModels'];
const PROJECT_AND_MODEL: readonly Dimension[] = ['project', 'model'];
const WITHOUT_PROJECT: readonly Dimension[] = [...AGENT_AND_MODEL, 'otherModels'];
const PROJECT_AND_AGENT: readonly Dimension[] = [...BY_AGENT, 'project'];
const ALL_BUT_OTHER_MODELS: readonly Dimension[] = [...AGENT_AND_MODEL, 'project'];
const PROJECT_AND_ANY_MODEL: readonly Dimension[] = [...ANY_MODEL, 'project'];

const FEWEST_CELLS_FIRST: readonly (readonly Dimension[])[] = [
  BY_TYPE,
  BY_AGENT,
  BY_MODEL,
  AGENT_AND_MODEL,
  BY_PROJECT,
  ANY_MODEL,
  PROJECT_AND_MODEL,
  WITHOUT_PROJECT,
  PROJECT_AND_AGENT,
  ALL_BUT_OTHER_MODELS,
  PROJECT_AND_ANY_MODEL,
  DIMENSIONS,
];

/** Not divided by time or dimensions, but by what sessions were scored with. */
export const SCORING_CUBE = 6;

/**
 * Each costs every session a little when it is stored. Projects are many: together with everything else nearly every
 * session has a cell of its own, and reading cells is then hardly better than reading rows. So what is asked for most is
 * divided by no more than that. A period rarely begins at midnight: hours and quarters of days leave few rows to read at
 * its ends.
 */
export const CUBES: readonly Cube[] = [
  { id: 9, grain: 'day', dimensions: BY_TYPE },
  { id: 16, grain: 'month', dimensions: BY_TYPE },
  { id: 17, grain: 'hour', dimensions: BY_AGENT },
  { id: 18, grain: 'day', dimensions: BY_AGENT },
  { id: 19, grain: 'month', dimensions: BY_AGENT },
  { id: 27, grain: 'day', dimensions: BY_MODEL },
  { id: 28, grain: 'month', dimensions: BY_MODEL },
  { id: 29, grain: 'quarter', dimensions: AGENT_AND_MODEL },
  { id: 30, grain: 'day', dimensions: AGENT_AND_MODEL },
  { id: 31, grain: 'month', dimensions: AGENT_AND_MODEL },
  { id: 32, grain: 'quarter', dimensions: BY_PROJECT },
  { id: 15, grain: 'day', dimensions: BY_PROJECT },
  { id: 14, grain: 'month', dimensions: BY_PROJECT },
  { id: 20, grain: 'hour', dimensions: ANY_MODEL },
  { id: 21, grain: 'day', dimensions: ANY_MODEL },
  { id: 22, grain: 'month', dimensions: ANY_MODEL },
  { id: 35, grain: 'quarter', dimensions: PROJECT_AND_MODEL },
  { id: 33, grain: 'day', dimensions: PROJECT_AND_MODEL },
  { id: 34, grain: 'month', dimensions: PROJECT_AND_MODEL },
  { id: 10, grain: 'day', dimensions: WITHOUT_PROJECT },
  { id: 12, grain: 'month', dimensions: WITHOUT_PROJECT },
  { id: 23, grain: 'day', dimensions: PROJECT_AND_AGENT },
  { id: 24, grain: 'month', dimensions: PROJECT_AND_AGENT },
  { id: 36, grain: 'month', dimensions: ALL_BUT_OTHER_MODELS },
  { id: 26, grain: 'month', dimensions: PROJECT_AND_ANY_MODEL },
  { id: 37, grain: 'day', dimensions: DIMENSIONS },
  { id: 13, grain: 'month', dimensions: DIMENSIONS },
];

const FINEST_FIRST: readonly Grain[] = ['hour', 'quarter', 'day', 'month'];

/** Cubes that divide by the same, from fine to coarse: the cells of one add up to those of the next. */
export const CHAINS: readonly (readonly Cube[])[] = FEWEST_CELLS_FIRST.map((dimensions) =>
  FINEST_FIRST.flatMap((grain) =>
    CUBES.filter((cube) => cube.grain === grain && cube.dimensions === dimensions),
  ),
);

/** Those with the fewest cells of a bucket first. */
export function byCells(a: Cube, b: Cube): number {
  return FEWEST_CELLS_FIRST.indexOf(a.dimensions) - FEWEST_CELLS_FIRST.indexOf(b.dimensions);
}

/** The bucket of sessions whose start is unknown: before every other one. */
export const UNKNOWN = -1_000_000_000;
