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
});
