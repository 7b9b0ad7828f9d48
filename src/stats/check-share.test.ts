import { describe, expect, it } from 'vitest';
import { checkShare } from './check-share.ts';

describe('checkShare', () => {
  it('accepts what lies between 0 and 1', () => {
    checkShare(0.95, 'confidence');
  });

  it.each([95, 0, 1, -0.1, NaN])('refuses %f', (share) => {
    expect(() => checkShare(share, 'confidence')).toThrow(
      /^confidence must be between 0 and 1 \(0.95, not 95\)/,
    );
  });
});
