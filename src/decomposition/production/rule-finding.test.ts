import { describe, expect, it } from 'vitest';
import { ALERT_RULES, type AlertRuleId, WINDOWS } from './alert-rules.ts';
import { cellWith } from './example-cell.ts';
import {
  drawnReading,
  findingOf,
  informationOf,
  meanReading,
  type RuleReading,
  readingOfRequests,
  sayFinding,
  shareReading,
} from './rule-finding.ts';

function rule(id: AlertRuleId) {
  const found = ALERT_RULES.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
}

/** What the windows say, the shortest first. */
const look = (id: AlertRuleId, ...readings: (RuleReading | undefined)[]) =>
  findingOf(
    rule(id),
    readings.map((reading, i) => ({ minutes: WINDOWS[i] ?? 0, reading })),
  );
const state = (id: AlertRuleId, ...readings: (RuleReading | undefined)[]) => look(id, ...readings).state;

/** n values of which half are `spread` below the mean and half above it. */
const moments = (value: number, spread: number, n: number) => ({
  n,
  sum: n * value,
  sumOfSquares: n * (value ** 2 + spread ** 2),
});

describe('a rule', () => {
  it('has nothing to say of nothing', () => {
    expect(look('errors-high', undefined)).toMatchObject({ state: 'too few to tell', n: 0 });
    expect(shareReading(0, 0)).toBeUndefined();
  });

  it('of a share fires by the exact binomial tail, however few requests there are', () => {
    // R: pbinom(4, 64, 0.01, lower.tail = FALSE) is 0.00047, and pbinom(3, 52, …) 0.0018.
    expect(state('errors-high', shareReading(5, 64))).toBe('firing');
    expect(state('errors-high', shareReading(4, 52))).toBe('unsure');
    // pbinom(2, 9, 0.01, lower.tail = FALSE) is 0.00008: nobody has to wait for thirty.
    expect(state('errors-high', shareReading(3, 9))).toBe('firing');
    expect(state('errors-high', shareReading(2, 2))).toBe('too few to tell');
    expect(state('errors-high', shareReading(10, 1000))).toBe('ok');
  });

  it('of latency goes by how many requests are above the line, and names its quantile', () => {
    const slow = (above: number) =>
      readingOfRequests(
        rule('latency-high'),
        cellWith(Array.from({ length: 30 }, (_, i) => ({ latencyMs: i < above ? 7000 : 900 }))),
        cellWith([]),
      );
    // R: pbinom(7, 30, 0.05, lower.tail = FALSE) is 0.00010, and pbinom(6, …) 0.00060.
    expect(state('latency-high', slow(8))).toBe('firing');
    expect(state('latency-high', slow(7))).toBe('unsure');
    expect(sayFinding(look('latency-high', slow(8)))).toMatch(
      /^p95 latency, last 5 minutes: (69|70)\d\d ms, above 5000 ms \(30 requests\): check the performance/,
    );
  });

  it('of a mean fires by the spread of the longest window', () => {
    const usual = moments(0.72, 0.1, 1000);
    // t(0.9995; 999) = 3.30: a spread of 0.1 over 16 requests is worth 0.083.
    expect(state('confidence-low', meanReading(moments(0.61, 0, 16), usual))).toBe('firing');
    expect(state('confidence-low', meanReading(moments(0.64, 0, 16), usual), undefined)).toBe(
      'too few to tell',
    );
    expect(meanReading(moments(0, 0, 9), usual)).toBeUndefined();
    expect(state('concepts-few', meanReading(moments(30, 1, 100), moments(30, 1, 100)))).toBe('ok');
  });

  it('of a sample counts the concepts of one output as what they tell together', () => {
    const drawn = (n: number, made: (i: number) => number) =>
      Array.from({ length: n }, (_, i) => ({ count: made(i), of: 20, probability: 0.05 }));
    // All of an output or nothing: each tells as one concept. One of each: as all of them.
    expect(informationOf(drawn(40, (i) => (i % 4 === 0 ? 20 : 0)))).toBeCloseTo(1, 0);
    expect(informationOf(drawn(40, (i) => (i % 4 === 0 ? 2 : 1)))).toBe(20);
    const sudden = drawn(12, (i) => (i % 2) * 3);
    expect(state('hallucination-unmentioned', drawnReading(sudden, 12))).toBe('firing');
    expect(state('hallucination-unmentioned', drawnReading(sudden, 1))).toBe('too few to tell');
    // Two bad outputs are an anecdote.
    expect(
      state(
        'hallucination-unmentioned',
        drawnReading(
          drawn(12, (i) => (i < 2 ? 20 : 0)),
          12,
        ),
      ),
    ).toBe('too few to tell');
  });
});

describe('several windows', () => {
  it('see what is sudden in a short one after a healthy day, and name it', () => {
    const day = shareReading(12 + 6, 2400);
    expect(
      look('errors-high', shareReading(6, 8), shareReading(6, 25), shareReading(6, 100), day),
    ).toMatchObject({ state: 'firing', minutes: 5, n: 8 });
  });

  it('see what is small in a long one', () => {
    expect(
      look(
        'errors-high',
        shareReading(0, 8),
        shareReading(0, 25),
        shareReading(2, 100),
        undefined,
        shareReading(48, 2400),
      ),
    ).toMatchObject({ state: 'firing', minutes: 1440, n: 2400 });
  });

  it('end an alert when newer requests could hardly be so good if it went on', () => {
    const hour = shareReading(50, 100);
    expect(state('errors-high', shareReading(0, 12), hour)).toBe('too few to tell');
    expect(state('errors-high', shareReading(0, 30), hour)).toBe('ok');
    // 0.5^11 is 0.00049; before the newest 9 there were 50 of 91.
    expect(state('errors-high', shareReading(0, 9), hour)).toBe('firing');
    // What is bad in six hours lies within the hour that is over; in the second it does not.
    expect(state('errors-high', shareReading(0, 30), hour, shareReading(50, 600))).toBe('ok');
    expect(state('errors-high', shareReading(0, 30), hour, shareReading(100, 600))).toBe('firing');
  });
});

it('has the lines and severities that are documented', () => {
  expect(ALERT_RULES.map(({ id, severity, side, line }) => [id, severity, side, line])).toEqual([
    ['errors-high', 'critical', 'above', 0.01],
    ['latency-high', 'warning', 'above', 5000],
    ['confidence-low', 'warning', 'below', 0.7],
    ['cost-high', 'warning', 'above', 0.1],
    ['concepts-few', 'warning', 'below', 10],
    ['hallucination-rated', 'critical', 'above', 0.02],
    ['hallucination-unmentioned', 'critical', 'above', 0.02],
    ['hallucination-unsupported', 'critical', 'above', 0.02],
    ['sample-too-small', 'warning', 'below', 30],
  ]);
});
