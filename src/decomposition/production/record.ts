/**
 * One request of a decomposition service in production: what it cost, how long it took and how much came of it. Never the
 * text itself, nor what was made of it: those are a record of their own, kept only where a team says so.
 */

export type {
  ConfidenceCounts,
  DecompositionRecord,
  DecompositionText,
  SampleDraw,
} from './record-schema.ts';

/** Confidence is counted in this many bins of equal width, from 0 to 1. */
export const CONFIDENCE_BINS = 20;

/** Predicates of one record that are counted by name; the others are counted together. */
export const MOST_PREDICATES = 20;
export const OTHER_PREDICATES = '(other)';

/** As no project is written here. */
const OF_NONE = '@';

/**
 * Under which id a request of production is kept. Senders choose ids for themselves, so that two projects may choose the
 * same: in a project it is `project:id`. Of no project it is the id; one with a colon, which might be that of a project,
 * is `@:id`. No project has a colon or an @ in it as it is written here, so no two are the same.
 */
export function requestKey(project: string | undefined, id: string): string {
  return project === undefined && !id.includes(':') ? id : `${keyPrefix(project)}${id}`;
}

/** What keys begin with that are not the id alone. */
function keyPrefix(project: string | undefined): string {
  return `${project === undefined ? OF_NONE : encodeURIComponent(project.toWellFormed())}:`;
}
