import { describe, expect, it } from 'vitest';
import { random } from './random.ts';
import { ruleFalseAlarm } from './rule-false-alarm.ts';

describe('ruleFalseAlarm', () => {
  it.each([
    [2, 0.1835034190722739],
    [3, 0.07048399691021993],
    [4, 0.030019745287544374],
    [5, 0.01334906342601871],
    [10, 0.00029456415536660075],
  ])('at %i runs is that of R 4.2.2: 2 * pt(-sqrt(2 * n), 2 * n - 2)', (n, expected) => {
    expect(ruleFalseAlarm(n)).toBeCloseTo(expected, 13);
  });

  it('is the same whichever side has more runs, and lies between the equal designs', () => {
    const [mixed, three, ten] = [ruleFalseAlarm(3, 10), ruleFalseAlarm(3), ruleFalseAlarm(10)];
    expect(ruleFalseAlarm(10, 3)).toBeCloseTo(mixed ?? NaN, 14);
    expect(mixed).toBeGreaterThan(ten ?? NaN);
    expect(mixed).toBeLessThan(three ?? NaN);
  });

  it.each([
    [3, 3],
    [2, 6],
  ])('is how often the rule as written fires with %i and %i runs that do not differ', (before, after) => {
    const { bits } = random(11);
    // Twelve uniform numbers sum to a nearly normal one.
    const normal = () => Array.from({ length: 12 }, bits).reduce((sum, value) => sum + value / 2 ** 32, -6);
    const trials = 20_000;
    let alarms = 0;
    for (let trial = 0; trial < trials; trial++) {
      const [a, b] = [Array.from({ length: before }, normal), Array.from({ length: after }, normal)];
      const centre = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
      const variance = (list: number[]) =>
        list.reduce((sum, value) => sum + (value - centre(list)) ** 2, 0) / (list.length - 1);
      if (Math.abs(centre(a) - centre(b)) > 2 * Math.sqrt((variance(a) + variance(b)) / 2)) alarms++;
    }
    // The standard error over 20,000 trials is below 0.3 points.
    expect(Math.abs(alarms / trials - (ruleFalseAlarm(before, after) ?? NaN))).toBeLessThan(0.009);
  });

  it('has no value for fewer than two runs and refuses what is no count', () => {
    expect(ruleFalseAlarm(1)).toBeUndefined();
    expect(ruleFalseAlarm(0)).toBeUndefined();
    expect(() => ruleFalseAlarm(2.5)).toThrow(RangeError);
  });
});
