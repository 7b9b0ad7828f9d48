/**
 * Weights of the metrics in the overall score, and the required number of cases. Separate from their users, so that
 * settings need not load those.
 */
export type OverallWeights = {
  readonly recall: number;
  readonly precision: number;
  readonly relationshipAccuracy: number;
  readonly provenance: number;
  readonly hallucinationPenalty: number;
};

export const OVERALL_WEIGHTS: OverallWeights = {
  recall: 0.25,
  precision: 0.2,
  relationshipAccuracy: 0.2,
  provenance: 0.2,
  hallucinationPenalty: 0.15,
};

/** Fewer golden cases prove nothing. */
export const MIN_CASES = 5;
