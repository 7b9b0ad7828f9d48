import type { JudgedMetric, Verdict } from '../judge/verdict.ts';
import { metricKey } from '../measure/metric.ts';
import type { Cell, Column, TableBlock } from './document.ts';
import { styleOf } from './text-table.ts';

/** One row per case with every metric as its own column: the table behind CSV and JSONL. */
export function verdictRows(verdict: Verdict): TableBlock {
  const metrics = metricsOfCases(verdict);
  const composites = new Set<string>();
  for (const { metrics: ofCase } of verdict.cases)
    for (const metric of ofCase) if (coverageOf(metric) !== undefined) composites.add(metric.id);
  const withNotes = verdict.cases.some((item) => item.notes.length > 0);
  const withErrors = verdict.cases.some((item) => item.error !== undefined);
  return {
    kind: 'table',
    title: 'All cases',
    columns: [
      { key: 'case', header: 'case', style: 'name' },
      { key: 'zone', header: 'zone', style: 'zone' },
      ...metrics.flatMap(({ id, title, unit }): Column[] => [
        { key: metricKey(id), header: title, style: styleOf(unit) },
        ...(composites.has(id)
          ? [{ key: coverageKey(id), header: `${title}, coverage`, style: 'ratio' } as const]
          : []),
      ]),
      ...(withNotes ? [{ key: 'notes', header: 'notes', style: 'text' } as const] : []),
      ...(withErrors ? [{ key: 'error', header: 'error', style: 'text' } as const] : []),
    ],
    rows: verdict.cases.map((item) => ({
      ...Object.fromEntries(
        item.metrics.flatMap((metric): [string, Cell][] => [
          [metricKey(metric.id), cellValue(metric)],
          ...(composites.has(metric.id)
            ? [[coverageKey(metric.id), coverageOf(metric)] as [string, Cell]]
            : []),
        ]),
      ),
      case: item.id,
      zone: item.zone,
      // Nothing to note is an empty text; `undefined` would claim that notes could not be measured.
      notes: item.notes.join('; '),
      error: item.error ?? '',
    })),
  };
}

function cellValue(metric: JudgedMetric): number | undefined {
  return metric.measurement.measured ? metric.measurement.value : undefined;
}

/** The column beside a composite: the share of its weight that was measured. */
function coverageKey(id: string): string {
  return `${metricKey(id)}_coverage`;
}

function coverageOf({ measurement }: JudgedMetric): number | undefined {
  return measurement.measured ? measurement.coverage : undefined;
}

/** In the order of the verdict's own metrics, then those that only cases have. */
function metricsOfCases(verdict: Verdict): JudgedMetric[] {
  const ofCases = new Map<string, JudgedMetric>();
  for (const item of verdict.cases) for (const metric of item.metrics) ofCases.set(metric.id, metric);
  const ordered = verdict.metrics.flatMap(({ id }) => ofCases.get(id) ?? []);
  const known = new Set(ordered.map(({ id }) => id));
  return [...ordered, ...[...ofCases.values()].filter(({ id }) => !known.has(id))];
}
