/**
 * What lint has to say. An error makes the file unusable, a warning makes a result doubtful, a note says what cannot be
 * concluded from it; only the first two fail.
 */
export const LINT_LEVELS = ['error', 'warning', 'note'] as const;
export type LintLevel = (typeof LINT_LEVELS)[number];

export type LintFinding = {
  readonly level: LintLevel;
  readonly rule: string;
  readonly file: string;
  /** Where in the file, as a person would look for it: an id, a key, a line. */
  readonly place: string;
  readonly message: string;
};

/** A list as a sentence holds it: the first few and how many more. */
export function few(items: readonly string[], most = 5): string {
  const more = items.length - most;
  return more > 0 ? `${items.slice(0, most).join(', ')} and ${more} more` : items.join(', ');
}
