import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatAmount,
  formatCents,
  formatChange,
  formatCount,
  formatDate,
  formatDuration,
  formatInterval,
  formatJudged,
  formatPercent,
  formatPerUsd,
  formatPoints,
  formatRatio,
  formatScore,
  formatTokens,
  formatUsd,
  formatValue,
} from './number.ts';

const cases = <T>(format: (value: T) => string, table: readonly (readonly [T, string])[]) => {
  for (const [value, text] of table) expect(format(value), String(value)).toBe(text);
};

describe('numbers are written as people write them', () => {
  test('a share is a percentage with one digit and never rounds to a bound it does not reach', () => {
    cases(formatRatio, [
      [0.724, '72.4%'],
      [0, '0.0%'],
      [1, '100.0%'],
      [0.1 + 0.2 + 0.7, '100.0%'],
      [0.0004, '<0.1%'],
      [0.9997, '>99.9%'],
      [-0.05, '−5.0%'],
      [12.5, '1,250.0%'],
    ]);
    cases(formatPercent, [[99.97, '>99.9%']]);
  });

  test('a score has two digits', () => {
    cases(formatScore, [
      [0.6525, '0.65'],
      [0, '0.00'],
      [1, '1.00'],
      [0.999, '>0.99'],
    ]);
  });

  test('thousands are grouped', () => {
    cases(formatCount, [
      [1520, '1,520'],
      [1_234_567, '1,234,567'],
      [2.5, '2.5'],
      [-3, '−3'],
      [-0, '0'],
    ]);
  });

  test('money has cents, and two digits of what is less than a cent', () => {
    cases(formatCents, [
      [412.3, '$412.30'],
      [0.006, '$0.01'],
      [0.000046, '<$0.01'],
      [0, '$0.00'],
    ]);
    cases(formatUsd, [
      [0.47, '$0.47'],
      [412.3, '$412.30'],
      [0.0031, '$0.0031'],
      [0.00999, '$0.01'],
      [0, '$0.00'],
      [-1234.5, '−$1,234.50'],
      [1e-9, '<$0.000001'],
    ]);
  });

  test('what a dollar gives keeps two digits, however little it is', () => {
    cases(formatPerUsd, [
      [1234.56, '1,234.6'],
      [9.996, '10.0'],
      [4.237, '4.24'],
      [0.37, '0.37'],
      [0.042, '0.042'],
      [0.00418, '0.0042'],
      [0, '0.00'],
      [1e-9, '<0.000001'],
    ]);
  });

  test('durations use the two units that matter and never write 60 seconds', () => {
    cases(formatDuration, [
      [0, '0 ms'],
      [3.2, '3.2 ms'],
      [820, '820 ms'],
      [999.7, '1.0 s'],
      [1800, '1.8 s'],
      [59_960, '1m 0s'],
      [72_000, '1m 12s'],
      [3_599_900, '1h 0m'],
      [7_500_000, '2h 5m'],
      [273_600_000, '3d 4h'],
    ]);
  });

  test('tokens are counted in thousands and millions', () => {
    cases(formatTokens, [
      [1, '1 token'],
      [820, '820 tokens'],
      [3400, '3.4k tokens'],
      [999_990, '1.0M tokens'],
      [1_200_000, '1.2M tokens'],
    ]);
  });

  test('points carry their sign, and a change too small to show has none', () => {
    cases(formatPoints, [
      [4, '+4.0 points'],
      [-2.1, '−2.1 points'],
      [0.04, '0.0 points'],
      [-0.04, '0.0 points'],
    ]);
  });

  test('a change has the sign of the value, whichever direction is better', () => {
    expect(formatChange(2.1, 'ratio', 'lower')).toBe('−2.1 points');
    expect(formatChange(0.05, 'usd', 'lower')).toBe('−$0.05');
    expect(formatChange(-0.05, 'usd', 'lower')).toBe('+$0.05');
    expect(formatChange(-8, 'ratio', 'higher')).toBe('−8.0 points');
  });

  test('an interval does not repeat the unit', () => {
    expect(formatInterval(0.681, 0.762, 'ratio')).toBe('[68.1, 76.2]');
    expect(formatInterval(0.4, 0.6, 'usd')).toBe('[0.40, 0.60]');
    expect(formatInterval(undefined, undefined, 'ratio')).toBe('');
  });

  test('dates are UTC, whatever the machine thinks', () => {
    expect(formatDate('2026-11-14T10:30:00+01:00')).toBe('2026-11-14 09:30 UTC');
    expect(formatDate('yesterday')).toBe('yesterday');
  });

  test('one of something is singular', () => {
    expect(formatAmount(1, 'case')).toBe('1 case');
    expect(formatAmount(1520, 'case')).toBe('1,520 cases');
  });

  test('what is not a number is shown as unmeasured', () => {
    for (const unit of ['ratio', 'percent', 'score', 'count', 'usd', 'ms'] as const) {
      expect(formatValue(Number.NaN, unit)).toBe('–');
      expect(formatValue(Number.POSITIVE_INFINITY, unit)).toBe('–');
    }
  });

  test('no number is ever written with a hyphen or as minus zero', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e15, max: 1e15 }), (value) => {
        for (const format of [
          formatRatio,
          formatScore,
          formatCount,
          formatUsd,
          formatPerUsd,
          formatDuration,
          formatTokens,
          formatPoints,
        ]) {
          expect(format(value)).not.toMatch(/-|−0(\.0*)?\D*$/);
        }
      }),
    );
  });
});

describe('formatJudged', () => {
  const zones = { fail: 0.65, target: 0.75, excellent: 0.85 };
  const judged = (value: number, unit: 'ratio' | 'score') =>
    formatJudged({ measurement: { measured: true, value, n: 1 }, unit, zones });

  test.each([
    [0.8499, 'score', '0.850', false],
    [0.8499, 'score', '0.8499', true],
    [0.85, 'score', '0.85', true],
    [0.25 + 0.2 + 0.2 + 0.2, 'score', '0.85', true],
    [0.8012, 'score', '0.80', true],
    [0.74996, 'ratio', '75.00%', false],
    [0.74996, 'ratio', '74.996%', true],
    [0.75, 'ratio', '75.0%', true],
  ] as const)(
    'writes %s as a %s so that it never looks like a line it has not reached',
    (value, unit, text, is) => {
      expect(judged(value, unit) === text).toBe(is);
    },
  );

  test('is the plain number without lines', () => {
    expect(formatJudged({ measurement: { measured: true, value: 0.8499, n: 1 }, unit: 'score' })).toBe(
      '0.85',
    );
  });
});
