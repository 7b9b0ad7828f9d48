import { expect, it } from 'vitest';
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { caseChanges } from './case-changes.ts';
import type { Side } from './compare.ts';

const metrics = [
  { id: 'a/share', title: 'Share', unit: 'ratio', better: 'higher' },
  { id: 'a/faults', title: 'Faults', unit: 'ratio', better: 'lower' },
] as const;
const policy = { blocking: [], noisePoints: 1, blockPoints: 5 };
const side = (cases: Record<string, Record<string, Measurement>>): Side => ({
  runId: 'r',
  at: '2026-01-01T00:00:00.000Z',
  scorer: 's',
  metrics: {},
  cases,
});

it('gives each case its own change, in points and positive when better', () => {
  const before = side({
    up: { 'a/share': estimate(0.5, 10), 'a/faults': estimate(0.2, 10) },
    down: { 'a/share': estimate(0.5, 10) },
    gone: { 'a/share': estimate(0.5, 10) },
  });
  const now = side({
    up: { 'a/share': estimate(0.6, 10), 'a/faults': estimate(0.1, 10) },
    down: { 'a/share': estimate(0.47, 10) },
    fresh: { 'a/share': estimate(1, 10) },
  });
  const changes = caseChanges(metrics, now, before, policy);
  expect(changes.map(({ id }) => id)).toEqual(['down', 'up']);
  expect(changes[1]?.changes['a/share']).toMatchObject({ size: 'improved' });
  expect(changes[1]?.changes['a/share']?.points).toBeCloseTo(10, 9);
  expect(changes[1]?.changes['a/faults']?.points).toBeCloseTo(10, 9);
  expect(changes[0]?.changes['a/share']).toMatchObject({ size: 'small regression' });
  expect(changes[0]?.changes['a/faults']).toMatchObject({ size: 'not comparable' });
});

it('says when a case lost a value', () => {
  const before = side({ one: { 'a/share': estimate(0.5, 10) } });
  const now = side({ one: { 'a/share': unmeasured('nothing extracted') } });
  expect(caseChanges(metrics, now, before, policy)[0]?.changes['a/share']).toMatchObject({ size: 'lost' });
});
