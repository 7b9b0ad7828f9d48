import { shortOf } from '../acronym.ts';
import { normalise } from '../normalise.ts';
import { remember } from '../remember.ts';
import { contrastOf } from './contrast.ts';

/**
 * From here on two labels count as one concept. Chosen on data so that at least nine in ten accepted pairs are right:
 * `bench/semantic-threshold.ts` prints the tables.
 */
export const SIMILAR_FROM = 0.85;

/** Labels that share all words but one need this much more: that one word decides, and the model looks at the others. */
export const CLOSE_MARGIN = 0.05;

/**
 * How alike two labels must be to the model to be one concept; undefined when the rules say that they are not, and
 * then nobody needs to ask it.
 */
export function similarityNeeded(
  one: string,
  other: string,
  from: number = SIMILAR_FROM,
): number | undefined {
  if (isOpaque(one) || isOpaque(other) || !shareBeginning(one, other)) return undefined;
  const contrast = contrastOf(one, other);
  if (contrast === 'contrast') return undefined;
  return contrast === 'close' ? from + CLOSE_MARGIN : from;
}

/** Acronyms and formulas look alike to the model when their letters do. */
const isOpaque: (label: string) => boolean = remember(
  (label) => shortOf(label) !== undefined || !/\p{L}{3}/u.test(label),
);

/**
 * Above the threshold the model is hardly ever right about labels of which no two words begin alike (the bench counts
 * them), so it is not asked.
 */
export function shareBeginning(one: string, other: string): boolean {
  const beginnings = beginningsOf(one);
  return beginningsOf(other).some((beginning) => beginnings.includes(beginning));
}

const beginningsOf: (label: string) => readonly string[] = remember((label) =>
  normalise(label)
    .split(' ')
    .filter((word) => word.length > 2)
    .map((word) => word.slice(0, 4)),
);

/** Of two vectors of length 1. */
export function cosineOf(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0);
  return sum;
}
