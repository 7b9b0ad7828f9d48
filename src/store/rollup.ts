/**
 * Sums over sessions by time and by what they have in common, so that an overview of a million of them is read from a
 * few thousand cells. What one session adds is worked out here, in whole numbers, so that adding, taking away and
 * adding again in any order gives the same sums in every backend: nothing drifts.
 */
import { isDoubtful, LOW_COVERAGE } from '../measure/confidence.ts';
import type { SessionNarrowing } from './session-narrowing.ts';
import type { SessionRow } from './session-row.ts';

/** What sessions may be grouped and narrowed by. */
export const DIMENSIONS = ['taskType', 'model', 'agent', 'project', 'source', 'otherModels'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

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
  /** Of which at least this share was measured: told by rows only, of which all are then read. */
  readonly coverageFrom?: number;
} & SessionNarrowing;

/** With a `?`: nothing was seen against the sessions, and nothing for them either. */
const TIER_NAMES = ['excellent', 'excellent?', 'good', 'good?', 'acceptable', 'poor', 'failed'] as const;
export type TierName = (typeof TIER_NAMES)[number];

const SUMMED_CATEGORIES = ['completion', 'execution', 'efficiency', 'outcome'] as const;
type SummedCategory = (typeof SUMMED_CATEGORIES)[number];

/** What a mean and its interval are worked out from. */
type Added = { readonly n: number; readonly sum: number; readonly sumOfSquares: number };

/** Sums of the current revisions. Q is summed to the billionth, cost to the millionth of a dollar, tokens to whole ones. */
export type SessionRollup = {
  /** When the bucket begins; absent without buckets, and for sessions whose start is unknown. */
  readonly bucket?: string;
  /** What the sessions have in common, of the dimensions that were asked for; absent where they have none. */
  readonly group: { readonly [D in Dimension]?: string };
  readonly sessions: number;
  /** Over the sessions with a Q. */
  readonly q: Added;
  readonly tiers: Readonly<Record<TierName, number>>;
  /** So little was measured of them, or so little is proven, that their Q says little. */
  readonly lowConfidence: number;
  /** Of how many it is known how much a person would want to look at, and of how many that is something. */
  readonly concerns: { readonly n: number; readonly some: number };
  /** Over the sessions whose cost is known; `atLeast` of them cost at least what is known. */
  readonly cost: { readonly n: number; readonly sumUsd: number; readonly atLeast: number };
  /** Over the sessions with both: mean Q per mean cost is their return. */
  readonly priced: { readonly q: Added; readonly sumUsd: number; readonly atLeast: number };
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

/** What a session adds, in this order. A backend has one whole number for each. */
export const SUMS = [
  'sessions',
  'q_n',
  'q_sum',
  'q_squares',
  ...TIER_NAMES.map((tier) => `tier_${tier}` as const),
  'low_confidence',
  'cost_n',
  'cost_sum',
  'cost_at_least',
  'priced_q_n',
  'priced_q_sum',
  'priced_q_squares',
  'priced_cost_sum',
  'priced_at_least',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  ...SUMMED_CATEGORIES.flatMap((name) => [`${name}_n`, `${name}_sum`, `${name}_squares`] as const),
  'concern_n',
  'concern_some',
  'turns',
] as const;
export type Sum = (typeof SUMS)[number];
const PLACES = Object.fromEntries(SUMS.map((name, i) => [name, i])) as Record<Sum, number>;
const FIRST_TIER = PLACES[`tier_${TIER_NAMES[0]}`];

/** The columns that a session's share in the sums is worked out from. */
export type Summed = Pick<
  SessionRow,
  | Dimension
  | 'startedAt'
  | 'q'
  | 'tier'
  | 'coverage'
  | SummedCategory
  | 'costUsd'
  | 'costAtLeast'
  | 'concern'
  | 'turns'
  | 'inputTokens'
  | 'outputTokens'
  | 'cacheReadTokens'
  | 'cacheWriteTokens'
>;

/** What a session was scored with; rows from before these were kept lack some. */
export const SCORED_WITH = ['scorerVersion', 'weights', 'baselineSet', 'prices'] as const;
export type ScoredWith = Pick<SessionRow, (typeof SCORED_WITH)[number]>;

/** Sessions that were scored with the same: only such scores may stand beside each other. */
export type SessionScoring = ScoredWith & { readonly sessions: number };

/** Bins of Q, then bins of coverage: a number below 256 says which. */
export const Q_BINS = 200;
const COVERAGE_BINS = 50;
export const BINS = Q_BINS + COVERAGE_BINS;

type SessionShare = { readonly sums: readonly number[]; readonly bins: readonly number[] };

/** Beyond these a value is no measurement; it counts as the limit, so that sums stay whole numbers. */
const [MAX_USD, MAX_TOKENS] = [1e6, 1e11];
/** Fine enough for what is summed, and coarse enough that the sums of millions of sessions are whole numbers. */
const [Q_PARTS, USD_PARTS] = [1e9, 1e6];

export function shareOf(row: Summed): SessionShare {
  const { q, costUsd: cost, tier } = row;
  const [scored, priced] = [Number(q !== undefined), Number(cost !== undefined)];
  const exactQ = clamp(q, 1);
  const partsOfQ = Math.round(exactQ * Q_PARTS);
  const partsOfSquare = Math.round(exactQ * exactQ * Q_PARTS);
  const partsOfUsd = Math.round(clamp(cost, MAX_USD) * USD_PARTS);
  const both = scored * priced;
  const atLeast = Number(row.costAtLeast === 1);
  const unproven = q !== undefined && isDoubtful(tier);
  const sums = [1, scored, partsOfQ, partsOfSquare];
  for (const name of TIER_NAMES) sums.push(Number(tier === name));
  sums.push(
    Number(unproven || row.coverage < LOW_COVERAGE),
    priced,
    partsOfUsd,
    priced * atLeast,
    both,
    both * partsOfQ,
    both * partsOfSquare,
    both * partsOfUsd,
    both * atLeast,
    Math.round(clamp(row.inputTokens, MAX_TOKENS)),
    Math.round(clamp(row.outputTokens, MAX_TOKENS)),
    Math.round(clamp(row.cacheReadTokens, MAX_TOKENS)),
    Math.round(clamp(row.cacheWriteTokens, MAX_TOKENS)),
  );
  for (const name of SUMMED_CATEGORIES) {
    const value = clamp(row[name], 1);
    sums.push(
      Number(row[name] !== undefined),
      Math.round(value * Q_PARTS),
      Math.round(value * value * Q_PARTS),
    );
  }
  sums.push(
    Number(row.concern !== undefined),
    Number(q !== undefined && (row.concern ?? 0) > 0),
    Math.round(clamp(row.turns, MAX_TOKENS)),
  );
  const coverageBin = Q_BINS + binOf(row.coverage, COVERAGE_BINS);
  return { sums, bins: q === undefined ? [coverageBin] : [binOf(q, Q_BINS), coverageBin] };
}

function clamp(value: number | undefined, most: number): number {
  return value === undefined ? 0 : Math.min(most, Math.max(0, value));
}

/** A value that misses a line by rounding is on it, as in zones and tiers; 1 is in the last bin. */
function binOf(value: number, bins: number): number {
  return Math.min(bins - 1, Math.floor(clamp(value, 1) * bins + 1e-7));
}

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
    lowConfidence: of('low_confidence'),
    concerns: { n: of('concern_n'), some: of('concern_some') },
    cost: { n: of('cost_n'), sumUsd: of('cost_sum') / USD_PARTS, atLeast: of('cost_at_least') },
    priced: {
      q: moments('priced_q_n'),
      sumUsd: of('priced_cost_sum') / USD_PARTS,
      atLeast: of('priced_at_least'),
    },
    turns: of('turns'),
    tokens: {
      input: of('input_tokens'),
      output: of('output_tokens'),
      cacheRead: of('cache_read_tokens'),
      cacheWrite: of('cache_write_tokens'),
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
 * The value below which a share of the sessions lies, from a histogram over 0–1: at most half a bin beside the exact
 * one (0.0025 for Q, 0.01 for coverage). Undefined when nothing was counted.
 */
export function quantileOfBins(counts: readonly number[], share: number): number | undefined {
  const n = counts.reduce((sum, count) => sum + count, 0);
  if (n === 0) return undefined;
  // The middle of an even number lies between two values; the mean of both bins is the mean of both values.
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
