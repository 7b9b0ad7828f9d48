/**
 * The metric contract. A metric is a declaration plus one pure function over evidence: no I/O, no clock, no
 * unseeded randomness, no thresholds (those are judged in `judge/`) and no wording (that lives in `report/`).
 */

/** A measured value with what it rests on. `low` and `high` bound the 95% interval and come together or not at all. */
export type Estimate = {
  readonly measured: true;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  /** How many units the value rests on: the cases of a suite; for one case, what its value divides by. */
  readonly n: number;
  /** The value over all units thrown together, where `value` is the mean over cases. */
  readonly pooled?: number;
  /** Where cases were repeated: the standard deviation between repeats of one case, over the cases. */
  readonly spread?: number;
  /** Of a composite: the share of its weight that rests on something measured. */
  readonly coverage?: number;
  /** Units that could not be counted: reason → how many. */
  readonly skipped?: Readonly<Record<string, number>>;
};

/** Nothing could be measured, and why. Never 0, 1, NaN or null. */
export type Unmeasured = { readonly measured: false; readonly reason: string };

export type Measurement = Estimate | Unmeasured;

/** `ratio` is 0–1 and shown as a percentage; `percent` is already 0–100; `score` is a composite on 0–1. */
export type Unit = 'ratio' | 'percent' | 'score' | 'count' | 'points-per-1k-tokens' | 'usd' | 'ms';

/** The lines between fail, below target, pass and excellent; a value exactly on a line is on its better side. */
export type Zones = { readonly fail: number; readonly target: number; readonly excellent: number };

export type Metric<Case> = {
  /** `<instrument>/<name>`: what stores, gates and JSON know it by; it never changes. */
  readonly id: string;
  /** The name of its file, where the id abbreviates it. */
  readonly file?: string;
  readonly title: string;
  /** What a person asks when they look at this number. */
  readonly question: string;
  /** In words and symbols, as a reader would check it by hand. */
  readonly formula: string;
  readonly unit: Unit;
  readonly range: readonly [low: number, high: number];
  readonly better: 'higher' | 'lower';
  readonly zones?: Zones;
  /** Excellent begins past its line, not on it. */
  readonly pastLine?: true;
  /** Where neither more nor less is better without end: the values that are aimed at, both ends among them. */
  readonly aim?: readonly [low: number, high: number];
  /** Where `zones` are somebody's own: the documented ones, or `null` where there are none. */
  readonly documented?: Zones | null;
  /** Part of a result only where something was measured: most cases do not ask for it. */
  readonly onlyWhereMeasured?: true;
  /** Worked by hand: the catalogue test computes it and expects `value` to the digits given. */
  readonly example: { readonly given: string; readonly cases: readonly Case[]; readonly value: number };
  /** One case is `compute([case])`; no case is unmeasured; the order of cases never matters. */
  readonly compute: (cases: readonly Case[]) => Measurement;
};

export function estimate(
  value: number,
  n: number,
  rest: Omit<Estimate, 'measured' | 'value' | 'n'> = {},
): Estimate {
  return { measured: true, value, n, ...rest };
}

export function unmeasured(reason: string): Unmeasured {
  return { measured: false, reason };
}

/** Machine-readable key of a metric in JSON and CSV: `instrument/some-metric` → `some_metric`. */
export function metricKey(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1).replaceAll('-', '_');
}

/** `<instrument>/<file name>`: where the declaration and its page are. */
export function metricPath({ id, file }: Pick<Metric<never>, 'id' | 'file'>): string {
  return file === undefined ? id : `${id.slice(0, id.lastIndexOf('/'))}/${file}`;
}
