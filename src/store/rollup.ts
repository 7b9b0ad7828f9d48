/** Sums over sessions by time and by what they have in common. `sql/rollup.ts` says what each session adds to them. */

import type { SessionRow } from './schema/session.ts';
import type { SessionNarrowing } from './session-narrowing.ts';

/** What sessions may be grouped and narrowed by. */
export const DIMENSIONS = ['taskType', 'model', 'agent', 'project', 'source', 'otherModels'] as const;
type Dimension = (typeof DIMENSIONS)[number];

/** Of UTC; a week begins on Monday. */
export type Bucket = 'hour' | 'day' | 'week' | 'month';

export type RollupQuery = {
  /** Started at or after this, and before `until`: a date (UTC), or a date and time with its zone. */
  readonly since?: string;
  readonly until?: string;
  /** One row per bucket in which a session started; without it, time does not divide. */
  readonly bucket?: Bucket;
  readonly by?: readonly Dimension[];
  /** With the distributions of Q and coverage, for medians and quantiles. */
  readonly histograms?: boolean;
  /** Minimum coverage of the sessions. The rollup by day does not have it, so all rows are read. */
  readonly coverageFrom?: number;
} & SessionNarrowing;

export const TIER_NAMES = ['excellent', 'good', 'acceptable', 'poor', 'failed'] as const;
type TierName = (typeof TIER_NAMES)[number];

export const SUMMED_CATEGORIES = ['completion', 'execution', 'efficiency', 'outcome'] as const;
type SummedCategory = (typeof SUMMED_CATEGORIES)[number];

/** What a mean and its interval are worked out from. */
type Added = { readonly n: number; readonly sum: number; readonly sumOfSquares: number };

/** Sums of the current revisions. Q is summed to the billionth, cost to the millionth of a dollar, tokens to whole ones. */
export type SessionRollup = {
  /** When the bucket begins; absent without buckets, and for sessions without a start time. */
  readonly bucket?: string;
  /** The value of each requested dimension; absent where the sessions have none. */
  readonly group: { readonly [D in Dimension]?: string };
  readonly sessions: number;
  /** Over the sessions with a Q. */
  readonly q: Added;
  readonly tiers: Readonly<Record<TierName, number>>;
  /** Of those with a Q, how many were verified, and how many failed it. */
  readonly verified: { readonly yes: number; readonly failed: number };
  /** So little was measured of them that their Q says little. */
  readonly lowConfidence: number;
  /** Sessions that need attention, and risky actions in all of them. */
  readonly attention: number;
  readonly riskyActions: number;
  /** Over sessions with a known cost; `atLeast` of them have a lower bound only. */
  readonly cost: { readonly n: number; readonly sumUsd: number; readonly atLeast: number };
  /** Over the sessions with both: mean Q per mean cost is their return. */
  readonly priced: {
    readonly q: Added;
    readonly sumUsd: number;
    readonly atLeast: number;
    readonly troubled: number;
  };
  /** Over the sessions with a value of it. */
  readonly categories: Readonly<Record<SummedCategory, Added>>;
  readonly turns: number;
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
  readonly histograms?: { readonly q: readonly number[]; readonly coverage: readonly number[] };
};

/** What a session adds, in this order, as whole numbers. */
export const SUMS = [
  'sessions',
  'q_n',
  'q_sum',
  'q_squares',
  ...TIER_NAMES.map((tier) => `tier_${tier}` as const),
  'verified_yes',
  'verified_failed',
  'low_confidence',
  'cost_n',
  'cost_sum',
  'cost_at_least',
  'priced_q_n',
  'priced_q_sum',
  'priced_q_squares',
  'priced_cost_sum',
  'priced_at_least',
  'priced_troubled',
  'input_tokens_sum',
  'output_tokens_sum',
  'cache_read_tokens_sum',
  'cache_write_tokens_sum',
  ...SUMMED_CATEGORIES.flatMap((name) => [`${name}_n`, `${name}_sum`, `${name}_squares`] as const),
  'attention_n',
  'risky_sum',
  'turns_sum',
] as const;
export type Sum = (typeof SUMS)[number];
const PLACES = Object.fromEntries(SUMS.map((name, i) => [name, i])) as Record<Sum, number>;
const FIRST_TIER = PLACES[`tier_${TIER_NAMES[0]}`];

/** What a session was scored with. */
export const SCORED_WITH = ['scorerVersion', 'weights', 'baselineSet', 'prices'] as const;
export type ScoredWith = Pick<SessionRow, (typeof SCORED_WITH)[number]>;

/** Sessions that were scored with the same: only their scores are comparable. */
export type SessionScoring = ScoredWith & { readonly sessions: number };

/** Bins of Q, then bins of coverage: a number below 256 says which. */
export const Q_BINS = 200;
export const COVERAGE_BINS = 50;
export const BINS = Q_BINS + COVERAGE_BINS;

/** Q is summed to the billionth and cost to the millionth: sums of millions of sessions are exact whole numbers. */
export const [Q_PARTS, USD_PARTS] = [1e9, 1e6];

/** Sums as read from a backend → the row of a rollup. */
export function rollupOf(
  bucket: string | undefined,
  group: SessionRollup['group'],
  sums: ArrayLike<number>,
  bins: readonly number[] | undefined,
): SessionRollup {
  const of = (name: Sum) => sums[PLACES[name]] ?? 0;
  // These three always follow each other.
  const moments = (first: Sum): Added => {
    const place = PLACES[first];
    return {
      n: sums[place] ?? 0,
      sum: (sums[place + 1] ?? 0) / Q_PARTS,
      sumOfSquares: (sums[place + 2] ?? 0) / Q_PARTS,
    };
  };
  const tiers = {} as Record<TierName, number>;
  for (const [i, tier] of TIER_NAMES.entries()) tiers[tier] = sums[FIRST_TIER + i] ?? 0;
  return {
    bucket,
    group,
    sessions: of('sessions'),
    q: moments('q_n'),
    tiers,
    verified: { yes: of('verified_yes'), failed: of('verified_failed') },
    lowConfidence: of('low_confidence'),
    attention: of('attention_n'),
    riskyActions: of('risky_sum'),
    cost: { n: of('cost_n'), sumUsd: of('cost_sum') / USD_PARTS, atLeast: of('cost_at_least') },
    priced: {
      q: moments('priced_q_n'),
      sumUsd: of('priced_cost_sum') / USD_PARTS,
      atLeast: of('priced_at_least'),
      troubled: of('priced_troubled'),
    },
    turns: of('turns_sum'),
    tokens: {
      input: of('input_tokens_sum'),
      output: of('output_tokens_sum'),
      cacheRead: of('cache_read_tokens_sum'),
      cacheWrite: of('cache_write_tokens_sum'),
    },
    categories: {
      completion: moments('completion_n'),
      execution: moments('execution_n'),
      efficiency: moments('efficiency_n'),
      outcome: moments('outcome_n'),
    },
    ...(bins && { histograms: { q: bins.slice(0, Q_BINS), coverage: bins.slice(Q_BINS, BINS) } }),
  };
}

/**
 * The value below which a share of the sessions lies, from a histogram over 0–1: at most half a bin from the exact one
 * (0.0025 for Q, 0.01 for coverage). Undefined when nothing was counted.
 */
export function quantileOfBins(counts: readonly number[], share: number): number | undefined {
  const n = counts.reduce((sum, count) => sum + count, 0);
  if (n === 0) return undefined;
  // The median of an even number lies between two values: the mean of both bins.
  const rank = share * (n - 1);
  const low = middleOf(binAt(counts, Math.floor(rank)), counts.length);
  const high = middleOf(binAt(counts, Math.ceil(rank)), counts.length);
  return low + (high - low) * (rank - Math.floor(rank));
}

function binAt(counts: readonly number[], rank: number): number {
  let before = 0;
  const bin = counts.findIndex((count) => {
    before += count;
    return before > rank;
  });
  return bin === -1 ? counts.length - 1 : bin;
}

function middleOf(bin: number, bins: number): number {
  return (bin + 0.5) / bins;
}

/** A total order of rollups: by bucket, then by group, absent ones first, texts by the bytes of their UTF-8. */
export function compareRollups(a: SessionRollup, b: SessionRollup): number {
  const byBucket = compareText(a.bucket, b.bucket);
  if (byBucket !== 0) return byBucket;
  for (const dimension of DIMENSIONS) {
    const order = compareText(a.group[dimension], b.group[dimension]);
    if (order !== 0) return order;
  }
  return 0;
}

/** A total order of scorings: the most first, of equals by what they were scored with, absent ones first. */
export function compareScorings(a: SessionScoring, b: SessionScoring): number {
  if (a.sessions !== b.sessions) return b.sessions - a.sessions;
  for (const name of SCORED_WITH) {
    const order = compareText(a[name], b[name]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareText(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  // Only half characters are in another order in UTF-16 than in UTF-8.
  if (BELOW_HALVES.test(a) && BELOW_HALVES.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const BELOW_HALVES = /^[\0-\ud7ff]*$/;
