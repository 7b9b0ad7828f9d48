import type { JudgedMetric } from '../judge/verdict.ts';
import type { Metric } from '../measure/metric.ts';
import { formatInterval, formatValue } from './number.ts';
import { styleOf } from './text-table.ts';
import type { Tile } from './view.ts';
import { zoneMark } from './zone-mark.ts';

type Declaration = Omit<Metric<never>, 'compute' | 'example'> & {
  readonly example: { readonly given: string; readonly value: number };
};

/** One metric explained: the page in the documentation and what the command line shows. */
export function sayMetric(metric: Declaration): string {
  const { zones, range, aim, pastLine } = metric;
  const direction = aim ? 'neither end is better' : `${metric.better} is better`;
  const [at, past] = metric.better === 'higher' ? ['at least', 'below'] : ['at most', 'above'];
  const beyond = metric.better === 'higher' ? 'above' : 'below';
  return [
    `# ${metric.title}`,
    '',
    metric.question,
    '',
    `- id: \`${metric.id}\``,
    `- formula: ${metric.formula}`,
    `- unit: ${metric.unit}, from ${number(range[0])} to ${number(range[1])}, ${direction}`,
    ...(aim === undefined ? [] : [`- aimed at: ${number(aim[0])} to ${number(aim[1])}`]),
    ...(zones === undefined
      ? ['- zones: none; it is shown, not gated']
      : [
          `- zones: fail ${past} ${number(zones.fail)}, pass ${at} ${number(zones.target)}, excellent ${pastLine ? beyond : at} ${number(zones.excellent)}`,
        ]),
    `- worked example: ${metric.example.given} → ${number(metric.example.value)}`,
    '',
  ].join('\n');
}

/** 0.15000000000000002 is noise of the arithmetic, not information. */
function number(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** The metrics that are read first: those with a target, what sums them up before its parts. */
const TILES = 4;

export function metricTiles(metrics: readonly JudgedMetric[]): Tile[] {
  const judged = metrics.filter(({ zones }) => zones !== undefined);
  const whole = judged.find(({ unit }) => unit === 'score');
  const parts = judged.filter(({ unit }) => unit !== 'score');
  return [...(whole === undefined ? [] : [whole]), ...parts].slice(0, TILES).map(metricTile);
}

function metricTile({ title, measurement, unit, zones, zone }: JudgedMetric): Tile {
  const interval = measurement.measured ? formatInterval(measurement.low, measurement.high, unit) : '';
  const target = zones === undefined ? '' : `target ${formatValue(zones.target, unit)}`;
  const aside = [interval, target].filter((part) => part !== '').join(' · ');
  return {
    label: title,
    value: measurement,
    unit: styleOf(unit),
    madeOf: 'All cases',
    ...(zone !== undefined && { word: zoneMark(zone) }),
    ...(aside !== '' && { aside }),
  };
}
