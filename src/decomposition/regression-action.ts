import type { Comparison } from '../judge/compare.ts';

const OVERALL = 'decomposition/overall';

/**
 * What to do about a comparison, by the size of the change. `entersFail`: metrics that were not in the fail zone
 * before; `gaps`: cases that could not be measured.
 */
export function regressionAction(
  comparison: Comparison,
  entersFail: readonly string[],
  gaps: readonly string[],
): string {
  if (comparison.differences.length > 0 && !comparison.insisted) {
    return 'nothing can be concluded: the two runs were not measured alike';
  }
  if (gaps.length > 0) return `block the merge: ${gaps.length} of the cases could not be measured`;
  if (entersFail.length > 0) {
    return `block the merge, an investigation is mandatory: ${entersFail.join(', ')} entered the fail zone`;
  }
  const change = comparison.changes[OVERALL];
  switch (change?.size) {
    case 'regression':
    case 'lost':
      return comparison.approvals.some(({ metric }) => metric === OVERALL)
        ? 'proceed: the regression was approved'
        : 'block the merge, investigate before proceeding';
    case 'small regression':
      return 'investigate, document the reason';
    case 'improved':
    case 'unchanged':
      return 'proceed normally';
    default:
      return 'nothing can be concluded: there is no overall score on both sides';
  }
}

/** Differences that chance explains, in words; a regression that is noise still counts, but is called noise. */
export function noiseNotes(
  metrics: readonly { readonly id: string; readonly title: string }[],
  comparison: Comparison,
): string[] {
  const moved = metrics.flatMap(({ id, title }) => {
    const change = comparison.changes[id];
    return change?.points === undefined || change.size === 'unchanged' ? [] : [{ title, ...change }];
  });
  const noise = moved.flatMap(({ title, paired, points = 0 }) => {
    if (paired?.verdict !== 'noise') return [];
    const by = `${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(1)} points`;
    return [
      `${title}: ${by} is within noise over ${paired.cases} paired cases (p = ${paired.p.toFixed(2)}).`,
    ];
  });
  return moved.length > 0 &&
    moved.every(({ paired }) => paired === undefined || paired.verdict === 'too few to tell')
    ? ['Too few cases changed to tell these changes from noise; it takes six.']
    : noise;
}
