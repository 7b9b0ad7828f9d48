import { describe, expect, it } from 'vitest';
import { armOf, assign, hashKey } from './assign.ts';

const PLAN = { id: 'shorter-labels', control: 'decompose-v1.0', candidate: 'decompose-v1.1', share: 0.3 };

describe('assign', () => {
  it('gives a key the same arm each time, on every machine', () => {
    // sha256("assay key\nuser-1") and sha256("assay experiment\nshorter-labels\n" + its first 32 digits), by sha256sum.
    expect(assign(PLAN, 'user-1')).toEqual({
      promptVersion: 'decompose-v1.0',
      // fc96e1e45b67 / 2^48 = 0.987: not below 0.3.
      experiment: { id: 'shorter-labels', arm: 'control', keyHash: '733b54963d7f4e238b5a7967d8530987' },
    });
    expect(assign(PLAN, 'user-1')).toEqual(assign({ ...PLAN }, 'user-1'));
  });

  it('fills the arms as planned', () => {
    const arms = Array.from({ length: 20_000 }, (_, i) => assign(PLAN, `user-${i}`).experiment.arm);
    const share = arms.filter((arm) => arm === 'candidate').length / arms.length;
    // Four standard errors of 0.3 over 20,000.
    expect(Math.abs(share - 0.3)).toBeLessThan(0.013);
  });

  it('has nothing to do with the arms of another experiment', () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => hashKey(`user-${i}`));
    const [a, b] = [
      { id: 'one', share: 0.5 },
      { id: 'two', share: 0.5 },
    ];
    const same = keys.filter((key) => armOf(a, key) === armOf(b, key)).length / keys.length;
    expect(Math.abs(same - 0.5)).toBeLessThan(0.015);
  });

  it('moves nobody back when the share of the candidate grows', () => {
    const keys = Array.from({ length: 2000 }, (_, i) => hashKey(`user-${i}`));
    const had = keys.filter((key) => armOf({ id: 'one', share: 0.1 }, key) === 'candidate');
    expect(had.every((key) => armOf({ id: 'one', share: 0.4 }, key) === 'candidate')).toBe(true);
  });
});
