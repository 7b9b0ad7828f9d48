import type { RatedRequest } from './opinions.ts';
import type { DecompositionRecord } from './record.ts';

export type Watched = {
  readonly id: string;
  /** How likely it was to be drawn; 1 for what nobody drew, such as feedback that came by itself. */
  readonly probability: number;
  readonly quotes?: DecompositionRecord['quotes'];
  readonly unmentioned?: DecompositionRecord['unmentioned'];
  /** What raters say; absent where nobody rated it. */
  readonly rated?: RatedRequest;
  readonly scores?: readonly number[];
};

/**
 * Kinds of ratings. The subject is the id of a request; of one concept the id, `#` and its label. The number of a missing one
 * is how many the request lacks.
 */
export const RATED_WHOLE = 'decomposition';
export const RATED_CONCEPT = 'decomposition-concept';
export const RATED_FABRICATION = 'decomposition-fabrication';
export const RATED_MISSING = 'decomposition-missing';

export function conceptSubject(id: string, label: string): string {
  return `${id}#${label}`;
}

/** No id of a request has a `#`. */
export function requestOf(subject: string): string {
  return subject.split('#', 1)[0] ?? subject;
}
