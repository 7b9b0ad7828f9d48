/** What has to be said beside the numbers of a score. */
import type { Verdict } from '../../judge/verdict.ts';
import { metricKey } from '../../measure/metric.ts';
import {
  formatAmount,
  formatCount,
  formatMeasurement,
  formatPercent,
  formatRatio,
  formatValue,
} from '../../report/number.ts';
import type { Minimums } from '../policy.ts';
import type { ScoreSummary } from '../summary.ts';
import type { Scored } from './score.ts';
import { inTable, nameOf } from './score-metrics.ts';

export function unresolvedOf({ runs }: ScoreSummary): number {
  return runs.reduce((sum, { counts }) => sum + counts.unresolved, 0);
}

/** Said wherever something is gated: what nobody has judged counts against precision, and labels would move it. */
export function unjudgedText(summary: ScoreSummary): string[] {
  const unjudged = unresolvedOf(summary);
  const of = unjudged + judgedOf(summary);
  if (unjudged === 0) return [];
  return [
    `${formatCount(unjudged)} of ${formatAmount(of, 'finding')} (${formatRatio(unjudged / of)}) ${unjudged === 1 ? 'is' : 'are'} unjudged and ${unjudged === 1 ? 'counts' : 'count'} against precision.`,
  ];
}

/** Findings that were judged right or wrong. */
function judgedOf({ runs }: ScoreSummary): number {
  return runs.reduce(
    (sum, { counts }) => sum + counts.matched + counts.partial + counts.bonus + counts.false,
    0,
  );
}

export function notesOf({ truth, summary, verdict, minimums, notes }: Scored): string[] {
  const { runs, labels, across, sensitivity } = summary;
  const findings = runs.flatMap(({ run }) => run.findings);
  const [unresolved, invented] = [
    unresolvedOf(summary),
    findings.filter(({ quoteMissing }) => quoteMissing).length,
  ];
  const [none, half, full] = [sensitivity['0'], sensitivity['0.5'], sensitivity['1']].map((one) =>
    formatMeasurement(one, 'percent'),
  );
  const [any, all] = ['found_any', 'found_all'].map((key) => across.find((one) => one.key === key)?.overall);
  return [
    `DR with a partial match counted as nothing, half, one: ${none}, ${half}, ${full}.`,
    ...(any?.measured && all?.measured
      ? [
          `${formatPercent(any.value)} of the errors are found in some run, ${formatPercent(all.value)} in every run. RS does not see this, and from ${formatAmount(runs.length, 'run')} it is itself uncertain.`,
        ]
      : []),
    ...(unresolved > 0
      ? [
          `${formatCount(judgedOf(summary))} of ${formatAmount(findings.length, 'finding')} are judged; ${formatCount(unresolved)} ${unresolved === 1 ? 'is' : 'are'} not, and ${unresolved === 1 ? 'counts' : 'count'} against precision until somebody labels ${unresolved === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...(invented > 0
      ? [`${formatAmount(invented, 'quote')} not found in the reviewed documents: they prove nothing.`]
      : []),
    ...labelNotes(labels),
    ...depthNotes(summary),
    ...unmeasuredNotes(summary),
    ...verdict.notes,
    ...askedFor(verdict, minimums),
    ...notes,
    `Ground truth ${truth.version} (${truth.hash.slice(0, 12)}), matcher ${runs[0]?.run.matcherVersion}.`,
  ];
}

function labelNotes({
  authors,
  findings,
  disputed,
  settled,
  againstCriteria,
  pairs,
}: ScoreSummary['labels']): string[] {
  if (authors.length === 0) return [];
  const agreement = pairs.flatMap(({ authors: [one, other], kappa, n }) =>
    kappa.measured
      ? [`${one} and ${other} kappa ${kappa.value.toFixed(2)} over ${formatAmount(n, 'finding')}`]
      : [],
  );
  return [
    `${formatAmount(findings, 'finding')} labelled by ${authors.join(', ')}; ${formatAmount(disputed, 'dispute')} open, ${formatCount(settled)} settled by a third label; ${formatAmount(againstCriteria, 'label')} against place, quote and lines.`,
    ...(agreement.length > 0 ? [`Agreement: ${agreement.join('; ')}.`] : []),
  ];
}

function depthNotes({ runs }: ScoreSummary): string[] {
  const [confirmed, deep] = [runs.map((run) => run.confirmed), runs.map((run) => run.withDepth)].map(
    (counts) => counts.reduce((sum, count) => sum + count, 0),
  ) as [number, number];
  if (deep === confirmed || deep === 0) return [];
  return [
    `DQ rests on ${formatCount(deep)} of ${formatAmount(confirmed, 'confirmed finding')}: the others carry no depth.`,
  ];
}

/** What was asked for beside what there is. */
function askedFor({ metrics }: Verdict, minimums: Minimums): string[] {
  const asked = metrics.flatMap(({ id, title, unit, measurement }) => {
    const least = minimums.get(metricKey(id));
    return least === undefined
      ? []
      : [`${title} ${formatMeasurement(measurement, unit)}, at least ${formatValue(least, unit)}`];
  });
  return asked.length === 0 ? [] : [`Asked for: ${asked.join('; ')}.`];
}

/** The same reason once, with every metric that shares it. */
function unmeasuredNotes(summary: ScoreSummary): string[] {
  const missing = inTable(summary).flatMap(({ metric, overall }) =>
    overall.measured ? [] : [{ name: nameOf(metric), reason: overall.reason }],
  );
  return [...Map.groupBy(missing, ({ reason }) => reason)].map(
    ([reason, all]) => `${all.map(({ name }) => name).join(', ')} unmeasured: ${reason}.`,
  );
}
