/**
 * Combines the labels of several authors into one decision per finding, and measures how far the authors agree. When
 * two independent labels disagree, a third decides. Every label is stored, whatever the decision.
 */
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { cohenKappa, krippendorffAlpha } from '../stats/rater-agreement.ts';
import type { FindingLabel } from './review.ts';

/** `majority`: the authors disagreed, and more than half of three or more settled the dispute. */
export type Resolution = {
  readonly state: 'none' | 'single' | 'agreed' | 'majority' | 'disputed';
  /** The deciding label: the first one given for the winning opinion. */
  readonly decision?: FindingLabel;
  /** Authors disagree and no majority of three has settled it yet. */
  readonly disputed: boolean;
  /** Every label, in the order given. */
  readonly labels: readonly FindingLabel[];
};

export function resolveLabels(labels: readonly FindingLabel[]): Resolution {
  const current = latestPerAuthor(labels);
  const first = current[0];
  if (first === undefined) return { state: 'none', disputed: false, labels };
  const held = Map.groupBy(current, opinionOf);
  if (held.size === 1) {
    return { state: current.length === 1 ? 'single' : 'agreed', decision: first, disputed: false, labels };
  }
  const [winner] = [...held.values()].find((same) => same.length * 2 > current.length) ?? [];
  if (winner === undefined) return { state: 'disputed', disputed: true, labels };
  return { state: 'majority', decision: winner, disputed: false, labels };
}

/** Two labels are the same opinion if they share the class and, for a match, the error. */
function opinionOf({ match, error }: FindingLabel): string {
  return (match === 'Y' || match === 'P') && error !== undefined ? `${match} ${error}` : match;
}

/** If an author labels a finding twice, the later label counts. */
function latestPerAuthor(labels: readonly FindingLabel[]): FindingLabel[] {
  return [...new Map(labels.map((label) => [label.by, label])).values()];
}

export function labelAgreement(findings: readonly Labelled[]) {
  const opinions = findings.map(
    ({ labels }) => new Map(labels.map((label) => [label.by, opinionOf(label)] as const)),
  );
  const authors = [...new Set(opinions.flatMap((opinion) => [...opinion.keys()]))].toSorted();
  const settlers = settlersAmong(findings, authors);
  const independent = authors.filter((author) => !settlers.includes(author));
  const states = findings.map(({ labels }) => resolveLabels(labels).state);
  return {
    authors,
    settlers,
    /** Findings with at least one label. */
    findings: opinions.filter(({ size }) => size > 0).length,
    pairs: independent.flatMap((first, i) =>
      independent.slice(i + 1).map((second) => pairAgreement(opinions, first, second)),
    ),
    /** Krippendorff's alpha over all authors; `n` counts findings with two labels or more. */
    alpha: alphaOf(opinions, independent),
    /** Disputed findings: those that a third label settled, and those still open. */
    settled: states.filter((state) => state === 'majority').length,
    disputed: states.filter((state) => state === 'disputed').length,
  };
}

type Labelled = { readonly labels: readonly FindingLabel[] };

/**
 * Authors who labelled only disputed findings. They saw only the hard cases, so including them would understate
 * agreement. They settle disputes but do not count in kappa and alpha.
 */
function settlersAmong(findings: readonly Labelled[], authors: readonly string[]): string[] {
  const labelled = new Map(
    authors.map((author) => [
      author,
      findings.filter(({ labels }) => labels.some(({ by }) => by === author)),
    ]),
  );
  const most = Math.max(0, ...[...labelled.values()].map(({ length }) => length));
  return authors.filter((author) => {
    const own = labelled.get(author) ?? [];
    const settles = ({ labels }: Labelled) =>
      resolveLabels(labels.filter(({ by }) => by !== author)).disputed;
    return own.length < most && own.every(settles);
  });
}

type Opinions = readonly ReadonlyMap<string, string>[];

/** Over the findings that both labelled. */
function pairAgreement(opinions: Opinions, first: string, second: string) {
  const both = opinions.flatMap((opinion) => {
    const [one, other] = [opinion.get(first), opinion.get(second)];
    return one === undefined || other === undefined ? [] : [[one, other] as const];
  });
  const n = both.length;
  return {
    authors: [first, second] as const,
    kappa: kappaOf(both),
    same:
      n === 0
        ? unmeasured('no finding has labels of both')
        : estimate(both.filter(([one, other]) => one === other).length / n, n),
    n,
  };
}

/** Cohen's kappa of pairs of opinions, or the reason why it cannot be measured. */
export function kappaOf(pairs: readonly (readonly [string, string])[]): Measurement {
  if (pairs.length === 0) return unmeasured('no finding has labels of both');
  const result = cohenKappa(
    pairs.map(([one]) => one),
    pairs.map(([, other]) => other),
  );
  if (result === undefined) {
    return unmeasured(
      'both gave the same label throughout, so agreement cannot be distinguished from chance',
    );
  }
  return estimate(result.kappa, result.n, result.interval);
}

function alphaOf(opinions: Opinions, authors: readonly string[]): Measurement {
  if (authors.length < 2) return unmeasured('fewer than two independent authors');
  const result = krippendorffAlpha(opinions.map((opinion) => authors.map((author) => opinion.get(author))));
  if (result === undefined) {
    return unmeasured('no finding has two labels, or all labels are the same');
  }
  return estimate(result.alpha, result.n);
}
