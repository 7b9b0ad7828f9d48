import { describe, expect, it } from 'vitest';
import { linesMeet, pathParts, sameFile, sameSection, sectionOf } from './place.ts';

const files = (one: string, other: string) => sameFile(pathParts(one), pathParts(other));
const sections = (one: string, other: string) => sameSection(sectionOf(one), sectionOf(other));

describe('sameFile', () => {
  it.each([
    ['src/a.ts', './src/a.ts'],
    ['src/a.ts', '/home/me/repo/src/a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['file:///repo/src/my%20file.ts', 'src/my file.ts'],
    ['src/x/../a.ts', 'src/a.ts'],
    ['a.ts', 'deep/down/a.ts'],
  ])('takes %s and %s for one file', (one, other) => {
    expect(files(one, other)).toBe(true);
    expect(files(other, one)).toBe(true);
  });

  it.each([
    ['src/a.ts', 'lib/a.ts'],
    ['src/a.ts', 'src/ba.ts'],
    ['a.ts', 'a.ts/b.ts'],
    ['src/a.ts', 'src/A.ts'],
    ['src/100%25.md', 'src/100%.md'],
  ])('keeps %s and %s apart', (one, other) => expect(files(one, other)).toBe(false));
});

describe('sameSection', () => {
  it.each([
    ['## 3.2 Error handling', 'Error Handling:'],
    ['3.2 Error handling', '3.2. Error-handling'],
    ['§ 4', 'Section 4'],
    ['A.1 Terms', 'Terms'],
    ['3.2', '3.2 Error handling'],
    ['2FA', '2fa'],
  ])('takes "%s" and "%s" for one section', (one, other) => expect(sections(one, other)).toBe(true));

  it.each([
    ['1. Overview', '2. Overview'],
    ['Errors', 'Error handling'],
    ['3', '3.2'],
    ['#', '##'],
  ])('keeps "%s" and "%s" apart', (one, other) => expect(sections(one, other)).toBe(false));
});

describe('linesMeet', () => {
  it('forgives three lines and no more', () => {
    expect(linesMeet([13, 14], [5, 10])).toBe(true);
    expect(linesMeet([14, 14], [5, 10])).toBe(false);
    expect(linesMeet([2, 2], [5, 10])).toBe(true);
    expect(linesMeet([1, 1], [5, 10])).toBe(false);
  });

  it('takes a finding about half the file for a finding about nothing', () => {
    expect(linesMeet([1, 101], [5, 10])).toBe(false);
    expect(linesMeet([1, 100], [5, 10])).toBe(true);
    expect(linesMeet([1, 400], [1, 500])).toBe(true);
  });
});
