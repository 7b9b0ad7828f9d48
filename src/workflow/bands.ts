/** The documented word for a value and the recommended action. A band with `over` excludes its own limit. */

export type Band = {
  readonly word: string;
  readonly meaning: string;
  /** The lowest value of the band; with `over`, values must be above it. */
  readonly from: number;
  readonly over?: true;
};

/** Key of a metric → its bands, best first; the last one covers the rest. */
const BANDS: Readonly<Record<string, readonly Band[]>> = {
  dr: [
    { from: 80, over: true, word: 'Excellent', meaning: 'maintain' },
    { from: 60, word: 'Good', meaning: 'minor tuning' },
    { from: 40, word: 'Moderate', meaning: 'significant changes needed' },
    { from: 0, word: 'Poor', meaning: 'major redesign' },
  ],
  te: [
    { from: 0.5, over: true, word: 'High', meaning: 'good value per token' },
    { from: 0.1, word: 'Moderate', meaning: 'acceptable' },
    { from: 0, word: 'Low', meaning: 'too expensive' },
  ],
  precision: [
    { from: 0.9, over: true, word: 'Clean', meaning: 'very few false alarms' },
    { from: 0.7, word: 'Acceptable', meaning: 'some noise' },
    { from: 0, word: 'Noisy', meaning: 'too many false positives' },
  ],
  dis: [
    { from: 20, over: true, word: 'Novel', meaning: 'finds what the ground truth lacks: update it' },
    { from: 5, word: 'Some', meaning: 'some discovery' },
    { from: 0, over: true, word: 'Little', meaning: 'finds only what is expected' },
    { from: 0, word: 'None', meaning: 'no discovery; not bad if the ground truth is complete' },
  ],
  dq: [
    { from: 4, over: true, word: 'Excellent', meaning: 'reaches root causes' },
    { from: 3, word: 'Good', meaning: 'structural level' },
    { from: 2, word: 'Moderate', meaning: 'cause level' },
    { from: 0, word: 'Shallow', meaning: 'symptoms only' },
  ],
  rs: [
    { from: 0.8, over: true, word: 'Stable', meaning: 'results reliable' },
    { from: 0.6, word: 'Moderate', meaning: 'report with caution' },
    { from: 0, word: 'Unstable', meaning: 'results unreliable, investigate' },
  ],
  fc: [
    { from: 80, over: true, word: 'Reproducible', meaning: 'findings are reproducible' },
    { from: 50, word: 'Some variance', meaning: 'some variance in detection' },
    { from: 0, word: 'High variance', meaning: 'findings unreliable' },
  ],
};

/** Floating-point sums can miss a limit by a few ulps. */
const TOLERANCE = 1e-9;

export function bandOf(key: string, value: number): Band | undefined {
  const bands = Object.hasOwn(BANDS, key) ? BANDS[key] : undefined;
  return bands?.find(({ from, over }) => (over ? value > from + TOLERANCE : value >= from - TOLERANCE));
}

export type Stability = 'STABLE' | 'MODERATE' | 'UNSTABLE';

/** The worst band of several values. */
export function stabilityWord(values: readonly number[]): Stability | undefined {
  const words = values.map((value) => bandOf('rs', value)?.word.toUpperCase() as Stability);
  return (['UNSTABLE', 'MODERATE', 'STABLE'] as const).find((word) => words.includes(word));
}
