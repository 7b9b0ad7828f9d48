import { expect, it } from 'vitest';
import { labelKeys } from './decomposition/match/label-keys.ts';
import { normalise } from './decomposition/match/normalise.ts';
import { searchable, verifyQuote } from './decomposition/match/verify-quote.ts';
import { normaliseUnicode } from './normalise-unicode.ts';
import { normaliseText } from './workflow/match/document.ts';

/** The longest run of marks that any normalisation sorts meanwhile. */
function longestRun(work: () => void): number {
  const { normalize } = String.prototype;
  let longest = 0;
  String.prototype.normalize = function counted(this: string, form?: string) {
    for (const [run] of this.matchAll(/[\p{M}\uff9e\uff9f]+/gu)) {
      for (const part of run.split('\u034f')) longest = Math.max(longest, part.length);
    }
    return normalize.call(this, form);
  };
  try {
    work();
  } finally {
    String.prototype.normalize = normalize;
  }
  return longest;
}

const MARKS = ['\u0301\u0323', '\uff9e\u0301', '\u0315\u0300\u05b0'].map((marks) => marks.repeat(20_000));

it('sorts no more than thirty marks at a time, wherever text is compared', () => {
  for (const marks of MARKS) {
    const text = `The café${marks} by the sea, and more of it`;
    const longest = longestRun(() => {
      normaliseUnicode(text, 'NFKC');
      normalise(text);
      labelKeys(text);
      verifyQuote(text.slice(4, 30), searchable(text), 'café');
      normaliseText(text);
    });
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThanOrEqual(30);
  }
});

it('is the ordinary one for text that people write', () => {
  for (const text of ['café', 'cafe\u0301', 'ｶﾞ', 'Å', 'ﬁ', `a${'\u0301\u0323'.repeat(15)}`, '각']) {
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
      expect(normaliseUnicode(text, form)).toBe(text.normalize(form));
  }
});
