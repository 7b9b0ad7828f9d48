import type { Measurement, Zones } from '../measure/metric.ts';

/** Floating-point sums miss their line by a few ulps: 0.25 + 0.20 + 0.20 + 0.20 must count as 0.85. */
export const TOLERANCE = 1e-9;

export type Zone = 'fail' | 'below target' | 'pass' | 'excellent';

export const ZONES: readonly Zone[] = ['fail', 'below target', 'pass', 'excellent'];

export type Direction = 'higher' | 'lower';

/** True when `value` is on the better side of `line` or on the line itself. */
export function meets(value: number, line: number, better: Direction): boolean {
  return better === 'higher' ? value >= line - TOLERANCE : value <= line + TOLERANCE;
}

/** `past`: what lies exactly on the line of excellent is not. */
export function zoneOf(value: number, zones: Zones, better: Direction, past = false): Zone {
  if (!meets(value, zones.fail, better)) return 'fail';
  if (!meets(value, zones.target, better)) return 'below target';
  const isOnLine = past && Math.abs(value - zones.excellent) <= TOLERANCE;
  return meets(value, zones.excellent, better) && !isOnLine ? 'excellent' : 'pass';
}

export function zoneOfMeasurement(
  measurement: Measurement,
  zones: Zones | undefined,
  better: Direction,
  past?: boolean,
): Zone | undefined {
  return measurement.measured && zones !== undefined
    ? zoneOf(measurement.value, zones, better, past)
    : undefined;
}

/** The worst of several zones: a case is as good as its worst metric. */
export function worstZone(zones: readonly (Zone | undefined)[]): Zone | undefined {
  return ZONES.find((zone) => zones.includes(zone));
}
