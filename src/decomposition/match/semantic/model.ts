/** Turns labels into vectors of length 1 whose dot product says how alike they are. The same label, the same vector. */
export type SemanticModel = {
  /** Which model this is, for the results that rest on it. */
  readonly name: string;
  readonly embed: (labels: readonly string[]) => Promise<readonly Float32Array[]>;
  /** Writes down what was learnt, for later runs. */
  readonly keep?: () => void;
};
