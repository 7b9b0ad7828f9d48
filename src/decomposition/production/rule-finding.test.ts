import { describe, expect, it } from 'vitest';
import { ALERT_RULES, type AlertRuleId } from './alert-rules.ts';
import { findingOf, type RuleReading, sayFinding } from './rule-finding.ts';

function rule(id: AlertRuleId) {
  const found = ALERT_RULES.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
}

const state = (id: AlertRuleId, reading: RuleReading) => findingOf(rule(id), reading).state;
const share = (count: number, n: number): RuleReading => ({ kind: 'share', count, n });

/** n values of which half are `spread` below the mean and half above it. */
function mean(value: number, spread: number, n: number): RuleReading {
  return { kind: 'mean', moments: { n, sum: n * value, sumOfSquares: n * (value ** 2 + spread ** 2) } };
}

describe('a rule', () => {
  it('never fires on three requests, whatever became of them', () => {
    for (const one of ALERT_RULES) {
      const bad = one.side === 'above' ? one.line * 100 : 0;
      const readings: RuleReading[] = [
        share(3, 3),
        mean(bad, 0, 3),
        { kind: 'quantile', p: 0.95, value: bad, above: 3, n: 3 },
        { kind: 'estimate', value: bad, low: bad, high: bad, n: 3 },
        { kind: 'count', value: 0, n: 3 },
      ];
      for (const reading of readings) expect(findingOf(one, reading).state).toBe('too few to tell');
    }
  });

  it('has nothing to say of nothing', () => {
    expect(findingOf(rule('errors-high'), undefined)).toMatchObject({ state: 'too few to tell', n: 0 });
    expect(findingOf(rule('errors-high'), share(0, 0))).toMatchObject({ state: 'too few to tell', n: 0 });
  });

  it('of a share fires by the exact binomial tail', () => {
    // R: pbinom(3, 30, 0.01, lower.tail = FALSE) is 0.00022, and pbinom(2, …) 0.0033.
    expect(state('errors-high', share(4, 30))).toBe('firing');
    expect(state('errors-high', share(3, 30))).toBe('unsure');
    expect(state('errors-high', share(10, 1000))).toBe('ok');
    expect(state('errors-high', share(0, 1000))).toBe('ok');
  });

  it('of latency goes by how many requests are above the line, and names its quantile', () => {
    const slow = (above: number) =>
      ({ kind: 'quantile', p: 0.95, value: 7000, above, n: 30 }) satisfies RuleReading;
    // R: pbinom(6, 30, 0.05, lower.tail = FALSE) is 0.00060, and pbinom(5, …) 0.0033.
    expect(state('latency-high', slow(7))).toBe('firing');
    expect(state('latency-high', slow(6))).toBe('unsure');
    expect(sayFinding(findingOf(rule('latency-high'), slow(7)))).toBe(
      'p95 latency, last 15 minutes: 7000 ms, above 5000 ms (30 requests): check the performance of the API',
    );
  });

  it('of a mean fires where Student’s t says that it is no chance', () => {
    // t(0.999; 99) = 3.175: a spread of 0.1 over 100 requests is worth 0.0319.
    expect(state('confidence-low', mean(0.66, 0.1, 100))).toBe('firing');
    expect(state('confidence-low', mean(0.67, 0.1, 100))).toBe('unsure');
    expect(state('confidence-low', mean(0.7, 0.1, 100))).toBe('ok');
    expect(state('cost-high', mean(0.11, 0, 100))).toBe('firing');
    expect(state('concepts-few', mean(9, 1, 100))).toBe('firing');
    expect(state('concepts-few', mean(30, 1, 100))).toBe('ok');
  });

  it('of a sample fires where its bound is beyond the line', () => {
    const sampled = (low: number): RuleReading => ({ kind: 'estimate', value: 0.05, low, high: 0.1, n: 40 });
    expect(state('hallucination-rated', sampled(0.021))).toBe('firing');
    expect(state('hallucination-rated', sampled(0.02))).toBe('unsure');
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
