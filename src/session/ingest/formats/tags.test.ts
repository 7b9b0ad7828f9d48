import fc from 'fast-check';
import { expect, it } from 'vitest';
import { regexWork } from '../../../testing/regex-work.ts';
import { scanWork } from '../../../testing/scan-work.ts';
import { taggedTexts, textBetween } from './tags.ts';

const piece = fc.constantFrom('<a>', '</a>', '<b>', '</b>', '<ab>', '</ab>', ' ', '\n', 'x', '<', '>', '/');
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

it('finds the texts that an expression with a back reference finds', () => {
  fc.assert(
    fc.property(text, (words) => {
      const found = (names: string) =>
        [...words.matchAll(new RegExp(`<(${names})>([\\s\\S]*?)</\\1>`, 'g'))].map(
          ([, name = '', inside = '']) => ({ name, inside: inside.trim() }),
        );
      expect([...taggedTexts(words)]).toEqual(found('\\w+'));
      expect([...taggedTexts(words, new Set(['a', 'ab']))]).toEqual(found('a|ab'));
      expect(textBetween(words, '<a>', '</a>')).toBe(found('a')[0]?.inside);
    }),
    { numRuns: 500 },
  );
});

it('passes over a text a few times, whatever is left open in it', () => {
  const size = 100_000;
  const units = [' ', '<a>', '</a>', '<a></b>', '<a></a', '<a>x</a>', '<', '<a', 'a>'];
  const distinct = Array.from({ length: size / 10 }, (_, i) => `<tag${i}>`).join('');
  for (const words of [...units.map((unit) => unit.repeat(size / unit.length)), distinct]) {
    const read = () => void [textBetween(words, '<a>', '</a>'), ...taggedTexts(words)];
    expect(scanWork(read)).toBeLessThan(4 * size);
    expect(regexWork(read).slow).toEqual([]);
  }
});
