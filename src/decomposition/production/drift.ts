/**
 * Whether what comes out of a service is other than it was: its last day beside a week before. Whoever looks every hour looks
 * 168 times a week, at several things each time; a difference counts only when chance would bring about one like it in one
 * week of twenty, all looks together (Bonferroni; the looks overlap, which it allows).
 */
import { type Moments, sdOfMoments } from '../../stats/descriptive.ts';
import { sameShares } from '../../stats/same-shares.ts';
import { type GroupSummary, welchOf } from '../../stats/welch.ts';
import { emptyCell, mergeCells, type ProductionCell } from './cell.ts';

export const DRIFT_LOOKS = 168;
/** Chance may tell of a difference that is none in one week of so many. */
const LEVEL = 0.05;
/** With fewer requests on either side nothing is said. */
const LEAST = 50;

const PARTS = ['confidence', 'concepts', 'relationships', 'confidences', 'predicates'] as const;
type DriftPartName = (typeof PARTS)[number];

type DriftPart = {
  readonly what: DriftPartName;
  readonly before?: number;
  readonly after?: number;
  /** Of a distribution, what changed its share the most. */
  readonly most?: { readonly name: string; readonly before: number; readonly after: number };
  /** Of a distribution: the population stability index; below 0.1 is small, above 0.25 large. */
  readonly stability?: number;
  /** Corrected for all looks of a week. */
  readonly p?: number;
  readonly verdict: 'moved' | 'no sign' | 'too few to tell';
};

type DriftSide = { readonly since: string; readonly until: string; readonly requests: number };

export type Drift = {
  readonly before: DriftSide;
  readonly after: DriftSide;
  readonly parts: readonly DriftPart[];
  /** Chance tells of a difference that is none in this share of the weeks at most. */
  readonly level: number;
  readonly leastRequests: number;
};

type Period = Omit<DriftSide, 'requests'>;

export function driftOf(
  periods: { readonly before: Period; readonly after: Period },
  cells: { readonly before: readonly ProductionCell[]; readonly after: readonly ProductionCell[] },
): Drift {
  const [before, after] = [cells.before, cells.after].map(
    (some) => mergeCells(some) ?? emptyCell({ at: '' }),
  ) as [ProductionCell, ProductionCell];
  return {
    before: { ...periods.before, requests: before.requests },
    after: { ...periods.after, requests: after.requests },
    parts: PARTS.map((what) => partOf(what, before, after)),
    level: LEVEL,
    leastRequests: LEAST,
  };
}

function partOf(what: DriftPartName, before: ProductionCell, after: ProductionCell): DriftPart {
  switch (what) {
    case 'confidence':
      return ofMeans(what, before.confidenceOfRequests, after.confidenceOfRequests);
    case 'concepts':
    case 'relationships':
      return ofMeans(what, before[what], after[what]);
    case 'confidences':
      return ofShares(
        what,
        [binsOf(before), before.confidenceOfRequests.n],
        [binsOf(after), after.confidenceOfRequests.n],
      );
    case 'predicates':
      return ofShares(
        what,
        [before.predicates, before.relationships.n],
        [after.predicates, after.relationships.n],
      );
  }
}

function ofMeans(what: DriftPartName, before: Moments, after: Moments): DriftPart {
  const sides = [before, after].map(({ n, sum }) => (n === 0 ? undefined : sum / n));
  const means = {
    ...(sides[0] !== undefined && { before: sides[0] }),
    ...(sides[1] !== undefined && { after: sides[1] }),
  };
  if (Math.min(before.n, after.n) < LEAST) return { what, ...means, verdict: 'too few to tell' };
  const found = welchOf(groupOf(before), groupOf(after));
  // Without any spread on either side a difference needs no test.
  if (found === undefined) return { what, ...means, verdict: sides[0] === sides[1] ? 'no sign' : 'moved' };
  return judged({ what, ...means }, found.p);
}

function groupOf(moments: Moments): GroupSummary {
  return { n: moments.n, mean: moments.sum / moments.n, sd: sdOfMoments(moments) };
}

type Counts = Readonly<Record<string, number>>;

/**
 * What comes of one text is alike, so a request counts as one, however much comes of it: that finds somewhat less and never
 * too much.
 */
function ofShares(
  what: DriftPartName,
  [before, requestsBefore]: readonly [Counts, number],
  [after, requestsAfter]: readonly [Counts, number],
): DriftPart {
  // Whoever sends counts alone names no predicates, which is not to have none.
  if (totalOf(before) === 0 || totalOf(after) === 0) return { what, verdict: 'too few to tell' };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const shares = (counts: Counts) => names.map((name) => (counts[name] ?? 0) / totalOf(counts));
  const [sharesBefore, sharesAfter] = [shares(before), shares(after)];
  const changes = names.map((name, i) => ({
    name,
    before: sharesBefore[i] ?? 0,
    after: sharesAfter[i] ?? 0,
  }));
  const most = changes.toSorted((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before))[0];
  const part = { what, ...(most && { most }) };
  if (Math.min(requestsBefore, requestsAfter) < LEAST) return { ...part, verdict: 'too few to tell' };
  const found = sameShares(
    sharesBefore.map((share) => share * requestsBefore),
    sharesAfter.map((share) => share * requestsAfter),
  );
  const stability = stabilityOf(sharesBefore, sharesAfter, Math.min(requestsBefore, requestsAfter));
  if (found === undefined) return { ...part, stability, verdict: 'no sign' };
  return judged({ ...part, stability }, found.p);
}

function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Σ (after − before) · ln(after / before); a share that was not seen counts as half a request. */
function stabilityOf(before: readonly number[], after: readonly number[], requests: number): number {
  const least = 0.5 / requests;
  return before.reduce((sum, share, i) => {
    const [a, b] = [Math.max(share, least), Math.max(after[i] ?? 0, least)];
    return sum + (b - a) * Math.log(b / a);
  }, 0);
}

function judged(part: Omit<DriftPart, 'p' | 'verdict'>, p: number): DriftPart {
  const corrected = Math.min(1, p * DRIFT_LOOKS * PARTS.length);
  return { ...part, p: corrected, verdict: corrected < LEVEL ? 'moved' : 'no sign' };
}

function binsOf({ confidence: { bins } }: ProductionCell): Counts {
  return Object.fromEntries(
    bins.map((count, i) => [`${(i / bins.length).toFixed(2)}–${((i + 1) / bins.length).toFixed(2)}`, count]),
  );
}
