import { describe, expect, it } from 'vitest';
import { bandOf, stabilityWord } from './bands.ts';

describe('the documented bands', () => {
  it.each([
    ['dr', 80.1, 'Excellent'],
    ['dr', 80, 'Good'],
    ['dr', 60, 'Good'],
    ['dr', 59.9, 'Moderate'],
    ['dr', 39.9, 'Poor'],
    ['te', 0.5, 'Moderate'],
    ['te', 0.09, 'Low'],
    ['precision', 0.91, 'Clean'],
    ['precision', 0.9, 'Acceptable'],
    ['precision', 0.69, 'Noisy'],
    ['dis', 0, 'None'],
    ['dis', 4, 'Little'],
    ['dis', 20, 'Some'],
    ['dq', 4.1, 'Excellent'],
    ['dq', 1.9, 'Shallow'],
    ['rs', 0.88, 'Stable'],
    ['rs', 0.74, 'Moderate'],
    ['rs', 0.59, 'Unstable'],
    ['fc', 80, 'Some variance'],
    ['fc', 49, 'High variance'],
  ])('call %s %d %s', (key, value, word) => expect(bandOf(key, value)?.word).toBe(word));

  it('have no word for a metric without bands', () => {
    expect(bandOf('wds', 50)).toBeUndefined();
    expect(bandOf('constructor', 50)).toBeUndefined();
  });
});

describe('stability of an experiment', () => {
  it('is that of its least stable metric', () => {
    expect(stabilityWord([0.88, 0.9])).toBe('STABLE');
    expect(stabilityWord([0.88, 0.74])).toBe('MODERATE');
    expect(stabilityWord([0.88, 0.74, 0.1])).toBe('UNSTABLE');
    expect(stabilityWord([])).toBeUndefined();
  });
});
