/** How much each metric counts in the overall score, and how many cases are asked for. Apart from what uses them, so that settings need not load it. */
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
