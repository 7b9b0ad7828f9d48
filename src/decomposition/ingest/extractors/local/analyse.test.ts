import fc from 'fast-check';
import { expect, it, test as property } from 'vitest';
import { analyse } from './analyse.ts';

it('keeps the place of every word, whatever stands between the words', () => {
  const text = 'Cold-water fish\tneed\u0000 oxygen.\n\nMulti-agent systems (MAS) do not.';
  const { words, sentences } = analyse(text);
  expect(words.map(({ from, to }) => text.slice(from, to))).toEqual(words.map(({ text: own }) => own));
  expect(sentences.map(({ from, to }) => text.slice(from, to))).toEqual([
    'Cold-water fish\tneed\u0000 oxygen.',
    'Multi-agent systems (MAS) do not.',
  ]);
});

it('joins a hyphenated compound to one word with the stems of its parts', () => {
  const { words } = analyse('A cold-water species swims.');
  expect(words[1]).toMatchObject({ text: 'cold-water', stem: 'cold water' });
});

it('does not take the word that begins a sentence for a name', () => {
  expect(analyse('Erosion removes soil.').words[0]).toMatchObject({
    text: 'Erosion',
    lower: 'erosion',
    pos: 'NOUN',
  });
});

property('places are verbatim and in order for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      let last = 0;
      for (const { text: own, from, to } of analyse(text).words) {
        expect(text.slice(from, to)).toBe(own);
        expect(from).toBeGreaterThanOrEqual(last);
        last = to;
      }
    }),
    { numRuns: 200 },
  );
});
