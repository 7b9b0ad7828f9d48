import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGoldenSet } from '../ingest/golden-case.ts';
import { stemOf } from './label-words.ts';
import { findNear, findPhrase, indexText } from './text-index.ts';

const TEXT =
  'C++ is a language. Farmers’ co-operatives cut costs by −5 %, and forecasting\nhelps a co-operative.';

describe('a phrase in a text', () => {
  const index = indexText(TEXT);

  it('is found whatever its case, number, hyphens or spelling, with offsets and sentence', () => {
    for (const [name, text] of [
      ['c++', 'C++'],
      ['Co operative', 'co-operatives'],
      ['cost', 'costs'],
      ['-5', '−5'],
      ['forecasting help', 'forecasting\nhelps'],
    ] as const) {
      const passage = findPhrase(index, name);
      expect(passage?.text, name).toBe(text);
      expect(TEXT.slice(passage?.from, passage?.to), name).toBe(text);
    }
    expect(findPhrase(index, 'language')?.sentence).toBe('C++ is a language.');
  });

  it('is not found in parts of words or across other words', () => {
    expect(findPhrase(index, 'operat')).toBeUndefined();
    expect(findPhrase(index, 'farmers cut')).toBeUndefined();
    expect(findPhrase(index, 'C')).toBeDefined();
    expect(findPhrase(index, 'C#')).toBeUndefined();
  });

  it('is always found where it was taken from', () => {
    const words = TEXT.split(/\s+/);
    fc.assert(
      fc.property(fc.nat(words.length - 1), fc.integer({ min: 1, max: 4 }), (at, length) => {
        expect(findPhrase(index, words.slice(at, at + length).join(' '))).toBeDefined();
      }),
    );
  });

  it.skipIf(!existsSync('golden'))('is found for every concept of the golden suite', () => {
    const lost = readGoldenSet('golden').cases.flatMap(({ id, sourceText, expectedConcepts }) => {
      const text = indexText(sourceText);
      return expectedConcepts
        .filter(({ label, aliases }) => ![label, ...aliases].some((name) => findPhrase(text, name)))
        .map(({ label }) => `${id}: ${label}`);
    });
    expect(lost).toEqual([]);
  });
});

describe('words near each other', () => {
  it('are found in any order, and not when a page lies between', () => {
    const index = indexText(`trapping of much sediment. ${'word '.repeat(60)} erosion`);
    expect(findNear(index, ['sediment', 'trapping'].map(stemOf))).toMatchObject({
      text: 'trapping of much sediment',
    });
    expect(findNear(index, ['sediment', 'erosion'].map(stemOf))).toBeUndefined();
    expect(findNear(index, ['sediment', 'flood'].map(stemOf))).toBeUndefined();
    expect(findNear(index, [])).toBeUndefined();
  });
});
