/** When a score is known too little to be taken at its word. */

/** Below this share of measured weight it is reported as low confidence. */
export const LOW_COVERAGE = 0.5;
