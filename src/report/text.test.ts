import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { inWords, ONE_COLUMN, shortenEnd, shortenMiddle, sparkline, widthOf, wrap } from './text.ts';
import { escapeJson, plain } from './unsafe-text.ts';

describe('text from data', () => {
  test('escapes, newlines and bidi overrides become visible', () => {
    expect(plain('\u001b[2J')).toBe('␛[2J');
    expect(plain('a\nb\tc\u007f')).toBe('a␊b␉c␡');
    expect(plain('\u202egnp.exe')).toBe('<U+202E>gnp.exe');
    expect(plain('\u009b31m')).toBe('<U+009B>31m');
    expect(plain('\ud800x')).toBe('\ufffdx');
  });

  test('what people write is left alone', () => {
    const text = 'Ünïcödé 日本語 👩‍👩‍👧 — “quotes”';
    expect(plain(text)).toBe(text);
  });

  test('JSON keeps its meaning when the same characters are escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = escapeJson(JSON.stringify({ text }, null, 2));
        expect(JSON.parse(json)).toEqual({ text });
        expect(plain(json.replaceAll('\n', ''))).toBe(json.replaceAll('\n', ''));
      }),
    );
  });
});

describe('fitting', () => {
  test('a name keeps both ends', () => {
    expect(shortenMiddle('7ef1c0de55a2', 7)).toBe('7ef1…a2');
    expect(shortenMiddle('short', 7)).toBe('short');
  });

  test('a sentence keeps its start', () => {
    expect(shortenEnd('the output is not JSON', 11)).toBe('the output…');
  });

  test('wide and joined characters are counted as the terminal draws them', () => {
    expect(widthOf('日本語')).toBe(6);
    expect(widthOf('e\u0301')).toBe(1);
    expect(widthOf('👩‍👩‍👧')).toBe(2);
    expect(shortenMiddle('日本語日本語日本語', 8)).toBe('日本…語');
  });

  test('what is counted by its length takes one column each, alone and beside any other', () => {
    const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
    const narrow = units.filter((unit) => ONE_COLUMN.test(unit));
    expect(narrow.filter((unit) => stringWidth(unit) !== 1)).toEqual([]);
    expect(stringWidth(narrow.join(''))).toBe(narrow.length);
    expect(stringWidth(narrow.toReversed().join(''))).toBe(narrow.length);
  });

  test('no text is wider than asked for', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 80 }).map(plain),
        fc.integer({ min: 2, max: 40 }),
        (text, width) => {
          expect(widthOf(shortenMiddle(text, width))).toBeLessThanOrEqual(width);
          expect(widthOf(shortenEnd(text, width))).toBeLessThanOrEqual(width);
          for (const line of wrap(text, width)) expect(widthOf(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  test('wrapping loses no word', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }).map(plain), fc.integer({ min: 2, max: 40 }), (text, width) => {
        expect(wrap(text, width).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });

  test('a list reads as a sentence', () => {
    expect(inWords(['a', 'b', 'c'])).toBe('a, b and c');
    expect(inWords(['a'])).toBe('a');
  });
});

test('the lowest value is the lowest bar, the highest the highest', () => {
  expect(sparkline([1, 2, 3, 4, 5, 6, 7, 8])).toBe('▁▂▃▄▅▆▇█');
});

test('a flat series runs along the middle', () => {
  expect(sparkline([0.5, 0.5, 0.5])).toBe('▄▄▄');
});

test('a gap stays blank', () => {
  expect(sparkline([1, undefined, 2])).toBe('▁ █');
});

test('the latest values are shown when there is no room for all', () => {
  expect(sparkline([9, 9, 1, 2], 2)).toBe('▁█');
});

test('nothing gives nothing', () => {
  expect(sparkline([])).toBe('');
});
