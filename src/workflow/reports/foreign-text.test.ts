import fc from 'fast-check';
import { expect, it } from 'vitest';
import { messageText, oneLine } from './foreign-text.ts';

it('removes what a reader does not see, and keeps joined emoji', () => {
  expect(oneLine('a\u001b[2Jb\u202ec\u200bd\u0000', 100)).toBe('a[2Jbcd');
  expect(oneLine('one\n\ttwo\u2028three', 100)).toBe('one two three');
  expect(oneLine('👩‍💻', 100)).toBe('👩‍💻');
});

it('makes words of links and placeholders', () => {
  expect(messageText('see [here](https://evil.example)', 'value {0} of {x}', 100)).toBe(
    'see [here] (https://evil.example)\nvalue { 0} of {x}',
  );
});

it('is never longer than asked for, never empty, and never broken', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (title, description) => {
      const text = messageText(title, description, 20);
      expect(text.length).toBeLessThanOrEqual(20);
      expect(text.length).toBeGreaterThan(0);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/\]\(|\{\d+\}|[\p{Cc}--\n]/v);
    }),
  );
});
