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

  it('is how often the rule as written fires on runs that do not differ', () => {
    const { bits } = random(11);
    // Twelve uniform numbers sum to a nearly normal one.
    const normal = () => Array.from({ length: 12 }, bits).reduce((sum, value) => sum + value / 2 ** 32, -6);
    const [trials, n] = [20_000, 3];
    let alarms = 0;
    for (let trial = 0; trial < trials; trial++) {
      const [a, b] = [Array.from({ length: n }, normal), Array.from({ length: n }, normal)];
      const centre = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / n;
      const variance = (list: number[]) =>
        list.reduce((sum, value) => sum + (value - centre(list)) ** 2, 0) / (n - 1);
      if (Math.abs(centre(a) - centre(b)) > 2 * Math.sqrt((variance(a) + variance(b)) / 2)) alarms++;
    }
    // The standard error of 7.05% over 20,000 trials is 0.18 points.
    expect(Math.abs(alarms / trials - 0.0705)).toBeLessThan(0.006);
  });

  it('has no value for fewer than two runs and refuses what is no count', () => {
    expect(ruleFalseAlarm(1)).toBeUndefined();
    expect(ruleFalseAlarm(0)).toBeUndefined();
    expect(() => ruleFalseAlarm(2.5)).toThrow(RangeError);
  });
});
