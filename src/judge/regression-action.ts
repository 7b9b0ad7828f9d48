import type { Change, ChangeSize, ComparePolicy, Comparison } from './compare.ts';

type Named = { readonly id: string; readonly title: string };

export type Obstacles = {
  /** Gated metrics that were not in the fail zone before. */
  readonly entersFail: readonly string[];
  readonly gaps: readonly string[];
};

/** What to do about a comparison, and because of what, in one line: the strictest that applies. */
export function regressionAction(
  metrics: readonly Named[],
  comparison: Comparison,
  { blocking }: ComparePolicy,
  { entersFail, gaps }: Obstacles,
): string {
  if (comparison.differences.length > 0 && !comparison.insisted)
    return 'nothing can be concluded: the two runs were not measured alike';
  if (gaps.length > 0) return `block the merge: ${gaps.length} of the cases could not be measured`;
  if (entersFail.length > 0)
    return `block the merge, an investigation is mandatory: ${entersFail.join(', ')} entered the fail zone`;
  const answered = new Set(comparison.approvals.map(({ metric }) => metric));
  const moved = (gated: boolean, ...sizes: ChangeSize[]) =>
    metrics.filter(({ id }) => {
      const size = comparison.changes[id]?.size;
      return blocking.includes(id) === gated && size !== undefined && sizes.includes(size);
    });
  const open = (some: readonly Named[]) => some.filter(({ id }) => !answered.has(id));
  const fell = open(moved(true, 'regression', 'lost'));
  if (fell.length > 0) return `block the merge, investigate before proceeding: ${titles(fell)}`;
  const small = open(moved(true, 'small regression')).filter(
    ({ id }) => comparison.changes[id]?.isNoise !== true,
  );
  if (small.length > 0) return `investigate, document the reason: ${titles(small)}`;
  const ungated = moved(false, 'regression', 'lost');
  if (ungated.length > 0) return `investigate: ${titles(ungated)} got worse, which the gate does not hold`;
  if (answered.size > 0) return 'proceed: what got worse was approved or has its reason';
  return blocking.some((id) => comparison.changes[id]?.points !== undefined)
    ? 'proceed normally'
    : 'nothing can be concluded: no gated metric has a value on both sides';
}

function titles(metrics: readonly Named[]): string {
  return metrics.map(({ title }) => title).join(', ');
}

/** Changes that chance explains: a regression that is noise still counts, but is called noise. */
export function noiseNotes(metrics: readonly Named[], comparison: Comparison): string[] {
  const moved = metrics.flatMap(({ id, title }) => {
    const change = comparison.changes[id];
    return change?.points === undefined || change.size === 'unchanged' ? [] : [{ title, ...change }];
  });
  const small = moved.filter(({ isNoise }) => isNoise);
  const others = moved.filter((one) => !small.includes(one));
  return [
    ...small.map(({ title, points = 0, paired }) => {
      const [low, high] = [paired?.low ?? 0, paired?.high ?? 0].map(sayPoints);
      return `${title}: ${sayPoints(points)} points is within noise over ${paired?.cases} paired cases (95% interval ${low} to ${high}).`;
    }),
    ...notesOnOthers(others),
  ];
}

function sayPoints(points: number): string {
  return `${points > 0 ? '+' : points < 0 ? '−' : ''}${Math.abs(points).toFixed(1)}`;
}

function notesOnOthers(moved: readonly (Change & { readonly title: string })[]): string[] {
  if (
    moved.length > 0 &&
    moved.every(({ paired }) => paired === undefined || paired.verdict === 'too few to tell')
  )
    return ['Too few cases changed to tell these changes from noise; it takes six.'];
  return moved.flatMap(({ title, paired, points = 0 }) => {
    if (paired?.verdict !== 'noise') return [];
    const by = `${sayPoints(points)} points`;
    return [
      `${title}: ${by} is within noise over ${paired.cases} paired cases (p = ${paired.p.toFixed(2)}).`,
    ];
  });
}
