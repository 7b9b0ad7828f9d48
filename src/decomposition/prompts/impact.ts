/** What a version measured, in the words of the CHANGELOG: whole percentages, differences in points. */
import type { CaseChange } from '../../judge/case-changes.ts';
import type { Change } from '../../judge/compare.ts';
import type { JudgedMetric } from '../../judge/verdict.ts';
import type { Measurement } from '../../measure/metric.ts';
import { type ImpactRow, NOT_MEASURED } from './changelog.ts';
import { PROMOTION_METRICS } from './promotion.ts';

const NAMES: Readonly<Record<string, string>> = {
  'decomposition/concept-recall': 'Recall',
  'decomposition/concept-precision': 'Precision',
  'decomposition/concept-f1': 'F1',
  'decomposition/relationship-accuracy': 'Relationship accuracy',
  'decomposition/provenance-coverage': 'Provenance',
  'decomposition/hallucination-rate': 'Hallucination',
  'decomposition/overall': 'Overall',
};

const OVERALL = 'decomposition/overall';

export function impactRows(metrics: readonly JudgedMetric[]): ImpactRow[] {
  return PROMOTION_METRICS.flatMap((id) => {
    const metric = metrics.find((one) => one.id === id);
    if (metric === undefined) return [];
    const { measurement, change } = metric;
    return [
      {
        metric: NAMES[id] ?? metric.title,
        before: percentOf(change?.baseline),
        after: percentOf(measurement),
        delta: deltaOf(change?.baseline, measurement),
      },
    ];
  });
}

/** Before anybody measured: no figure is invented. */
export function unmeasuredRows(): ImpactRow[] {
  return Object.values(NAMES).map((metric) => ({
    metric,
    before: NOT_MEASURED,
    after: NOT_MEASURED,
    delta: NOT_MEASURED,
  }));
}

function percentOf(measurement: Measurement | undefined): string {
  return measurement?.measured ? `${tenths(measurement.value)}%` : NOT_MEASURED;
}

function deltaOf(before: Measurement | undefined, after: Measurement): string {
  if (!before?.measured || !after.measured) return NOT_MEASURED;
  const points = tenths(after.value - before.value);
  return `${points > 0 ? '+' : ''}${points}%`;
}

/** 0.7412 → 74.1, 0.74 → 74; never −0. */
function tenths(share: number): number {
  return Number((share * 100).toFixed(1)) + 0;
}

const WORDS: Readonly<Partial<Record<Change['size'], string>>> = {
  'small regression': 'Slight regression on',
  regression: 'Regression on',
  lost: 'No value any more on',
};

/** An improvement of more than this many points is called significant. */
const SIGNIFICANT_POINTS = 5;

/** The cases whose overall score moved, worst first. */
export function caseNotes(changes: readonly CaseChange[]): string[] {
  const moved = changes.flatMap(({ id, changes: ofCase }) => {
    const change = ofCase[OVERALL];
    return change === undefined || change.size === 'unchanged' || change.size === 'not comparable'
      ? []
      : [{ id, change }];
  });
  return moved
    .toSorted((a, b) => (a.change.points ?? -100) - (b.change.points ?? -100))
    .map(({ id, change: { size, points } }) => {
      const by = points === undefined ? '' : ` (${points > 0 ? '+' : ''}${Number(points.toFixed(1))} points)`;
      const better = (points ?? 0) > SIGNIFICANT_POINTS ? 'Significant improvement on' : 'Improvement on';
      const investigate = size === 'improved' ? '' : ', investigate';
      return `${WORDS[size] ?? better} ${id}.gold.json${by}${investigate}`;
    });
}
