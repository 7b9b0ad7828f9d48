/** Numbers as people write them. The locale is fixed: the same data reads the same on every machine. */
import type { Direction } from '../judge/zone.ts';
import type { Measurement, Unit, Zones } from '../measure/metric.ts';

/** Unmeasured: an en dash, never a zero. */
export const UNMEASURED = '–';

const MINUS = '−';

export function formatCount(value: number): string {
  return fixed(value, Number.isInteger(value) ? 0 : 1);
}

/** 0.724 → `72.4%`. A share that is not 0 or 1 never reads as 0.0% or 100.0%. */
export function formatRatio(value: number): string {
  return formatPercent(value * 100);
}

export function formatPercent(value: number): string {
  return bounded(value, 1, 100, '%');
}

/** 0.6525 → `0.65`. */
export function formatScore(value: number): string {
  return bounded(value, 2, 1, '');
}

/** Cents, and two digits below a cent: `$412.30`, `$0.47`, `$0.0031`. */
export function formatUsd(value: number): string {
  if (!Number.isFinite(value)) return UNMEASURED;
  const size = Math.abs(value);
  if (size >= 0.00995 || size === 0) return signed(value, `$${fixed(size, 2)}`);
  if (size < 0.000001) return signed(value, '<$0.000001');
  return signed(value, `$${size.toFixed(1 - Math.floor(Math.log10(size)))}`);
}

/** Value per dollar: `47.3`, `1.25`, and two digits below: `0.0042`. Only an exact 0 is shown as 0. */
export function formatPerUsd(value: number): string {
  const size = Math.abs(value);
  if (size >= 9.995) return fixed(value, 1);
  if (size >= 0.0995 || size === 0 || !Number.isFinite(value)) return fixed(value, 2);
  if (size < 0.000001) return signed(value, '<0.000001');
  return fixed(value, 1 - Math.floor(Math.log10(size)));
}

/** `$412.30`, `$0.47`, `<$0.01`; an exact 0 is `$0.00`. */
export function formatCents(value: number): string {
  return value > 0 && value < 0.005 ? '<$0.01' : formatUsd(Math.round(value * 100) / 100);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `820 ms`, `1.8 s`, `1m 12s`, `2h 5m`, `3d 4h`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return UNMEASURED;
  const size = Math.abs(ms);
  // These limits avoid rounding to 1000 ms or 60.0 s.
  if (size < 9.95) return signed(ms, `${fixed(size, Number.isInteger(size) ? 0 : 1)} ms`);
  if (size < 999.5) return signed(ms, `${fixed(size, 0)} ms`);
  if (size < MINUTE - 50) return signed(ms, `${fixed(size / SECOND, 1)} s`);
  if (size < HOUR - 500) return signed(ms, twoUnits(Math.round(size / SECOND), 60, 'm', 's'));
  if (size < DAY - MINUTE / 2) return signed(ms, twoUnits(Math.round(size / MINUTE), 60, 'h', 'm'));
  return signed(ms, twoUnits(Math.round(size / HOUR), 24, 'd', 'h'));
}

function twoUnits(small: number, per: number, large: string, rest: string): string {
  return `${fixed(Math.floor(small / per), 0)}${large} ${small % per}${rest}`;
}

/** `820 tokens`, `3.4k tokens`, `1.2M tokens`. */
export function formatTokens(value: number): string {
  if (!Number.isFinite(value)) return UNMEASURED;
  const size = Math.abs(value);
  if (size < 999.5) return signed(value, `${fixed(size, 0)} ${Math.round(size) === 1 ? 'token' : 'tokens'}`);
  if (size < 999_950) return signed(value, `${fixed(size / 1e3, 1)}k tokens`);
  if (size < 999_950_000) return signed(value, `${fixed(size / 1e6, 1)}M tokens`);
  return signed(value, `${fixed(size / 1e9, 1)}B tokens`);
}

/** A difference in percentage points, always with its sign: `+4.0 points`. */
export function formatPoints(value: number): string {
  return Number.isFinite(value) ? `${plus(value, 1)} points` : UNMEASURED;
}

export function formatValue(value: number, unit: Unit): string {
  switch (unit) {
    case 'ratio':
      return formatRatio(value);
    case 'percent':
      return formatPercent(value);
    case 'score':
      return formatScore(value);
    case 'count':
      return formatCount(value);
    case 'usd':
      return formatUsd(value);
    case 'ms':
      return formatDuration(value);
    case 'points-per-1k-tokens':
      return `${fixed(value, 2)} per 1k tokens`;
  }
}

export function formatMeasurement(measurement: Measurement, unit: Unit): string {
  return measurement.measured ? formatValue(measurement.value, unit) : UNMEASURED;
}

/**
 * A value that misses its line never looks equal to it: 0.8499 next to a line of 0.85 gets as many digits as it takes.
 */
export function formatJudged({
  measurement,
  unit,
  zones,
}: {
  readonly measurement: Measurement;
  readonly unit: Unit;
  readonly zones?: Zones;
}): string {
  const text = formatMeasurement(measurement, unit);
  if (!measurement.measured || zones === undefined) return text;
  const { value } = measurement;
  const isNear = (line: number) =>
    Math.abs(value - line) > LINE_TOLERANCE && formatValue(line, unit) === text;
  if (!Object.values(zones).some(isNear)) return text;
  const scale = unit === 'ratio' ? 100 : 1;
  const suffix = unit === 'ratio' || unit === 'percent' ? '%' : '';
  for (let digits = 2; digits < 9; digits++) {
    const written = fixed(value * scale, digits);
    const isLine = (line: number) =>
      Math.abs(value - line) > LINE_TOLERANCE && fixed(line * scale, digits) === written;
    if (!Object.values(zones).some(isLine)) return `${written}${suffix}`;
  }
  return text;
}

/** As near as this a value is on the line. */
const LINE_TOLERANCE = 1e-9;

/** `[68.1, 76.2]`: the unit is shown with the value. Empty without an interval. */
export function formatInterval(low: number | undefined, high: number | undefined, unit: Unit): string {
  if (low === undefined || high === undefined) return '';
  const bare = (value: number) => formatValue(value, unit).replace(/%$|\$| per 1k tokens$/, '');
  return `[${bare(low)}, ${bare(high)}]`;
}

/**
 * What the value did since the baseline, with the sign a reader expects next to the value: a cost that fell is
 * negative. `gain` is the judged one, positive when better; shares are in points, other units in themselves.
 */
export function formatChange(gain: number, unit: Unit, better: Direction): string {
  const moved = better === 'higher' ? gain : -gain;
  if (unit === 'ratio' || unit === 'score' || unit === 'percent') return formatPoints(moved);
  const text = formatValue(Math.abs(moved), unit);
  return moved < 0 ? `${MINUS}${text}` : moved > 0 ? `+${text}` : text;
}

/** `2026-11-14 09:30 UTC`; a text that is no date stays as it is. */
export function formatDate(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `1 case`, `1,520 cases`. */
export function formatAmount(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** What rounds to a bound without being it says so: `<0.1%`, `>99.9%`. */
function bounded(value: number, digits: number, top: number, suffix: string): string {
  if (!Number.isFinite(value)) return UNMEASURED;
  const step = 10 ** -digits;
  const size = Math.abs(value);
  const rounded = Number(size.toFixed(digits));
  // Twelve digits forgive what floating point adds: 0.1 + 0.2 + 0.7 counts as 1.
  if (rounded === 0 && size > 1e-12) return signed(value, `<${step.toFixed(digits)}${suffix}`);
  if (rounded === top && size < top - top * 1e-12)
    return signed(value, `>${(top - step).toFixed(digits)}${suffix}`);
  return `${fixed(value, digits)}${suffix}`;
}

function plus(value: number, digits: number): string {
  const text = fixed(value, digits);
  return value > 0 && Number(value.toFixed(digits)) !== 0 ? `+${text}` : text;
}

function signed(value: number, text: string): string {
  return value < 0 && hasDigits(text) ? MINUS + text : text;
}

function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return UNMEASURED;
  const [whole = '', fraction] = Math.abs(value).toFixed(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  return signed(value, text);
}

/** No minus before a zero: −0.04 in one digit is 0.0. */
function hasDigits(text: string): boolean {
  return /[1-9]/.test(text);
}
