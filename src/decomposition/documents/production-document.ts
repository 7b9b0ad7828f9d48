/** How a service did, as a person reads it: what was aimed at, what came of it, and how sure that is. */
import { meets } from '../../judge/zone.ts';
import type { Measurement, Metric } from '../../measure/metric.ts';
import { type Action, carry, type Given } from '../../report/action.ts';
import type { Document, Row, TableBlock } from '../../report/document.ts';
import { formatAmount, formatCount, formatMeasurement, formatValue } from '../../report/number.ts';
import { styleOf } from '../../report/text-table.ts';
import { OPERATIONAL_METRICS, SAMPLED_METRICS } from '../catalog.ts';
import type { OperationalFigures, Production, ProductionSpan } from '../production/production.ts';

type Aimed = Pick<Metric<never>, 'id' | 'title' | 'unit' | 'better' | 'zones' | 'aim'>;

/** `unclear`: the interval lies on both sides of the line, or there are too few to have one. */
type Standing = 'met' | 'missed' | 'unclear' | 'not measured';

/** Without an interval, fewer say nothing. */
const ENOUGH = 30;

const CARRIED = ['since', 'prompt-version', 'model', 'store', 'config'];

export function productionDocument(production: Production, given: Given = {}): Document {
  const { operational, sample } = production;
  if (operational.requests === 0) return nothingDocument(given);
  const rows = targetRows(production);
  const count = (standing: Standing) => rows.filter((row) => row.standing === standing).length;
  const missed = rows
    .filter(({ standing }) => standing === 'missed')
    .map(({ metric }) => String(metric).toLowerCase());
  return {
    title: 'Production',
    answer: [
      `${formatAmount(operational.requests, 'request')}, ${formatMeasurement(operational.errorRate, 'ratio')} failed.`,
      `${count('met')} of ${rows.length} targets are met${missed.length === 0 ? '' : `, ${missed.length} missed: ${missed.join(', ')}`}${count('not measured') === 0 ? '' : `; ${count('not measured')} could not be measured`}.`,
    ].join(' '),
    blocks: [
      targetsTable(rows),
      hallucinationTable(production),
      ...(production.versions.length > 1 ? [versionsTable(production.versions)] : []),
      productionTable(production),
    ],
    notes: [
      sample.sampled === 0
        ? 'No request of this time was sampled, so that nothing is known of how good the outputs are.'
        : `${formatCount(sample.sampled)} requests were sampled and ${formatCount(sample.rated)} of them rated (${formatMeasurement(sample.shareRated, 'ratio')}); those that nobody rated are taken to be like them.`,
      ...(sample.isPartial ? ['There are older sampled requests that were not looked at.'] : []),
      ...(operational.requests > 0 && operational.errors > 0 ? [errorNote(production)] : []),
    ],
    next: nextOf(production, given),
  };
}

function nothingDocument(given: Given): Document {
  return {
    title: 'Production',
    answer: 'No request of a service was recorded in this time.',
    blocks: [],
    notes: ['Requests come from monitor() in a service, from its spans, or by POST /api/v1/decompositions.'],
    next: [{ operation: 'serve', options: carry(given, ['store', 'config']) }],
  };
}

function nextOf({ sample, by }: Production, given: Given): Action[] {
  const same = carry(given, CARRIED);
  return [
    ...(sample.sampled > sample.rated
      ? [{ operation: 'production rate', options: carry(given, ['store', 'config']) }]
      : []),
    ...(by === 'day'
      ? []
      : [{ operation: 'production status', options: { ...same, since: '30d', by: 'day' } }]),
  ];
}

function errorNote({ cells }: Production): string {
  const kinds = new Map<string, number>();
  for (const { errorKinds } of cells)
    for (const [kind, n] of Object.entries(errorKinds)) kinds.set(kind, (kinds.get(kind) ?? 0) + n);
  const ranked = [...kinds].sort(([, a], [, b]) => b - a).slice(0, 3);
  return `Errors: ${ranked.map(([kind, n]) => `${kind} ${formatCount(n)}`).join(', ')}.`;
}

type TargetRow = Row & { readonly standing: Standing };

function targetRows({ cells, operational, sample }: Production): TargetRow[] {
  const measured = new Map<string, Measurement>([
    ...OPERATIONAL_METRICS.map(({ id, compute }) => [id, compute(cells)] as const),
    ['decomposition/human-rated-accuracy', sample.acceptable],
    ['decomposition/user-feedback-score', sample.feedback],
    ['decomposition/provenance-verification', sample.quotesVerified],
  ]);
  const all: readonly Aimed[] = [...OPERATIONAL_METRICS, ...SAMPLED_METRICS];
  return all.map((metric) => {
    const value = measured.get(metric.id) ?? operational.errorRate;
    return {
      metric: metric.title,
      value: { value, style: styleOf(metric.unit) },
      target: targetWords(metric),
      standing: standingOf(metric, value),
      n: value.measured ? value.n : undefined,
    };
  });
}

function targetWords({ aim, zones, better, unit }: Aimed): string {
  if (aim !== undefined) return `${formatValue(aim[0], unit)}–${formatValue(aim[1], unit)}`;
  return zones === undefined ? '' : `${better === 'higher' ? '>' : '<'} ${formatValue(zones.target, unit)}`;
}

/** Against a target: `unclear` where too little is known to say. */
export function standingOf(
  {
    aim,
    zones,
    better,
  }: Pick<Aimed, 'aim' | 'better'> & { readonly zones?: { readonly target: number } | undefined },
  measurement: Measurement,
): Standing {
  if (!measurement.measured) return 'not measured';
  const { value, low = value, high = value, n } = measurement;
  if (measurement.low === undefined && n < ENOUGH) return 'unclear';
  const isMet = (one: number) => {
    if (aim !== undefined) return one >= aim[0] && one <= aim[1];
    return zones === undefined || meets(one, zones.target, better);
  };
  const ends = [isMet(low), isMet(value), isMet(high)];
  if (ends.every(Boolean)) return 'met';
  // Both ends beyond an aim, one on each side, leave it open, too.
  const isAround = aim !== undefined && low < aim[0] && high > aim[1];
  return ends.some(Boolean) || isAround ? 'unclear' : 'missed';
}

function targetsTable(rows: readonly Row[]): TableBlock {
  return {
    kind: 'table',
    title: 'Targets',
    columns: [
      { key: 'metric', header: 'metric', style: 'text' },
      { key: 'value', header: 'value', style: 'text' },
      { key: 'target', header: 'target', style: 'text' },
      { key: 'standing', header: '', style: 'text' },
      { key: 'n', header: 'n', style: 'count' },
    ],
    rows,
  };
}

function hallucinationTable({ sample: { hallucination } }: Production): TableBlock {
  const row = (what: string, value: Measurement): Row => ({
    what,
    value,
    n: value.measured ? value.n : undefined,
  });
  return {
    kind: 'table',
    title: 'Hallucination, as far as it can be known',
    columns: [
      { key: 'what', header: 'what was seen', style: 'text' },
      { key: 'value', header: 'share', style: 'ratio' },
      { key: 'n', header: 'outputs', style: 'count' },
    ],
    rows: [
      row('quotes that the text does not support', hallucination.unsupportedQuotes),
      row('concepts that the text never mentions', hallucination.unmentionedConcepts),
      row('concepts that a rater calls made up', hallucination.ratedFabrications),
    ],
  };
}

const FIGURES = [
  { key: 'requests', header: 'requests', style: 'count' },
  { key: 'errors', header: 'failed', style: 'ratio' },
  { key: 'p50', header: 'p50', style: 'duration-ms' },
  { key: 'p95', header: 'p95', style: 'duration-ms' },
  { key: 'p99', header: 'p99', style: 'duration-ms' },
  { key: 'cost', header: 'cost each', style: 'usd' },
  { key: 'concepts', header: 'concepts', style: 'count' },
  { key: 'relationships', header: 'relationships', style: 'count' },
  { key: 'confidence', header: 'confidence', style: 'score' },
] as const satisfies TableBlock['columns'];

function figuresRow(figures: OperationalFigures): Row {
  return {
    requests: figures.requests,
    errors: figures.errorRate,
    p50: figures.latencyP50,
    p95: figures.latencyP95,
    p99: figures.latencyP99,
    cost: figures.costUsd,
    concepts: figures.concepts,
    relationships: figures.relationships,
    confidence: figures.confidence,
  };
}

function versionsTable(versions: readonly ProductionSpan[]): TableBlock {
  return {
    kind: 'table',
    title: 'By prompt version and model',
    columns: [
      { key: 'version', header: 'prompt', style: 'name' },
      { key: 'model', header: 'model', style: 'name' },
      ...FIGURES,
    ],
    rows: versions.map(({ cell, figures }) => ({
      version: cell.promptVersion,
      model: cell.model,
      ...figuresRow(figures),
    })),
  };
}

/** One row per span of time. */
export function productionTable({ spans, by }: Production): TableBlock {
  return {
    kind: 'table',
    title: `By ${by}`,
    folded: true,
    columns: [{ key: 'at', header: `${by} (UTC)`, style: by === 'day' ? 'day' : 'time' }, ...FIGURES],
    rows: spans.map(({ cell, figures }) => ({ at: cell.at, ...figuresRow(figures) })),
  };
}
