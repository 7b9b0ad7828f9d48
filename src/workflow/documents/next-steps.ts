import { type Action, carry, type Given } from '../../report/action.ts';

/** What a person typed: plain words and options. A next step looks at the same things; without it there is none. */
export type Typed = { readonly words: readonly string[]; readonly given: Given };

const REVIEWS = ['experiment', 'truth', 'runs', 'documents', 'mapping', 'workflow', 'line-tolerance'];

/** What decides the numbers of a report and nothing else. */
const REPORTED = ['oes', 'baseline'];
const PLACES = ['store', 'config'];

/** The same reviews, looked at in another way. */
export function onSameReviews(
  operation: string,
  { words, given }: Typed,
  more: Action['options'] = {},
): Action {
  const reported = operation === 'workflow report' ? carry(given, REPORTED) : {};
  return { operation, positionals: words, options: { ...carry(given, REVIEWS), ...reported, ...more } };
}

/** What the same store remembers. */
export function inSameStore(operation: string, { given }: Typed, more: Action['options'] = {}): Action {
  return { operation, options: { ...more, ...carry(given, PLACES) } };
}

/** Names come from files: one with more than letters, digits and a few marks is never part of a line to copy. */
export function isPlainName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N} ._:@+-]*$/u.test(name);
}
