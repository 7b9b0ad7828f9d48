/** Below this share of measured weight, Q is reported as low confidence. */
export const LOW_COVERAGE = 0.5;
