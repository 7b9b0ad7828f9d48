/** When a score is known too little to be taken at its word. */

/** Below this share of measured weight it is reported as low confidence. */
export const LOW_COVERAGE = 0.5;

/** Its word carries a `?`: nothing but the absence of trouble was seen. */
export function isDoubtful(tier: string | undefined): boolean {
  return tier?.endsWith('?') === true;
}
