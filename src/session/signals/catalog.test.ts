import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATEGORIES, SIGNALS } from './catalog.ts';

describe('the signals', () => {
  it('are one file each, named like their id', () => {
    const files = globSync('src/session/signals/*.ts')
      .map((path) => basename(path, '.ts'))
      .filter((name) => !name.endsWith('.test') && name !== 'signal' && name !== 'catalog');
    expect(SIGNALS.map((signal) => signal.id).toSorted()).toEqual(files.toSorted());
    expect(SIGNALS).toHaveLength(14);
  });

  it.each(CATEGORIES)('of %s share a weight of 1', (category) => {
    const weights = SIGNALS.filter((signal) => signal.category === category).map((signal) => signal.weight);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  it('have the documented weights', () => {
    const weights = Object.fromEntries(SIGNALS.map((signal) => [signal.id, signal.weight]));
    expect(weights).toMatchObject({
      'tool-success-rate': 0.5,
      'first-attempt-success': 0.25,
      'error-recovery': 0.15,
      'subagent-success': 0.1,
      'token-efficiency': 0.25,
      'turn-efficiency': 0.25,
      compactions: 0.25,
      'model-appropriateness': 0.25,
      'artifact-produced': 0.3,
      'state-changed': 0.4,
      'downstream-acceptance': 0.3,
    });
  });
});
