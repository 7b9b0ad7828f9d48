/** The metrics that are read first: those with a target, what sums them up before its parts. */
import type { JudgedMetric } from '../judge/verdict.ts';
import type { Tile } from './document.ts';
import { formatInterval, formatValue } from './number.ts';
import { styleOf } from './text-table.ts';
import { zoneMark } from './zone-mark.ts';

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
    style: styleOf(unit),
    madeOf: 'All cases',
    ...(zone !== undefined && { word: zoneMark(zone) }),
    ...(aside !== '' && { aside }),
  };
}
