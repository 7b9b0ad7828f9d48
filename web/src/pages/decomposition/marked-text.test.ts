import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markedText } from './marked-text.ts';

const quoted = (label: string, from: number, to: number, more: object = {}) => ({
  label,
  quote: { state: 'verified' as const, from, to },
  ...more,
});

describe('a text with quotes', () => {
  it('is cut where they begin and end, and says whose they are', () => {
    const pieces = markedText('a marsh is a wetland', [
      quoted('marsh', 2, 7, { expected: 'Marsh' }),
      quoted('a thing', 0, 7),
      quoted('swamp', 13, 20, { canary: 'Swamp' }),
      { label: 'never', quote: { state: 'not in the text' } },
    ]);
    expect(pieces.map(({ text, concepts }) => [text, ...concepts.map(({ kind }) => kind)])).toEqual([
      ['a ', 'invented'],
      ['marsh', 'found', 'invented'],
      [' is a '],
      ['wetland', 'canary'],
    ]);
  });

  it('is whole again when its pieces are put together, wherever quotes say they are', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.record({ from: fc.integer({ min: -5, max: 60 }), to: fc.integer({ min: -5, max: 60 }) })),
        (text, places) => {
          const pieces = markedText(
            text,
            places.map(({ from, to }) => quoted('x', from, to)),
          );
          expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        },
      ),
    );
  });
});
