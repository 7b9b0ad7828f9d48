import { describe, expect, it } from 'vitest';
import { linesMeet, linesNear, pathParts, sameFile, sameSection, sectionOf, splitLines } from './place.ts';

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

it.each([
  ['src/a.ts:10', 'src/a.ts', [10, 10]],
  ['src/a.ts:10-12', 'src/a.ts', [10, 12]],
  ['src/a.ts:10:5', 'src/a.ts', [10, 10]],
  ['src/a.ts#L10-L12', 'src/a.ts', [10, 12]],
  ['src/a.ts#L10', 'src/a.ts', [10, 10]],
  ['C:\\src\\a.ts:7', 'C:\\src\\a.ts', [7, 7]],
  ['src/a.ts', 'src/a.ts', undefined],
  ['src/a.ts:0', 'src/a.ts', undefined],
  ['notes #3.md', 'notes #3.md', undefined],
])('%s names its lines', (path, file, lines) => {
  expect(splitLines(path)).toEqual(lines === undefined ? { file } : { file, lines });
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
  it('wants a line in common; what lies beside is near, as far as the tolerance goes', () => {
    expect(linesMeet([10, 14], [5, 10])).toBe(true);
    expect(linesMeet([11, 14], [5, 10])).toBe(false);
    expect(linesNear([13, 14], [5, 10], 3)).toBe(true);
    expect(linesNear([14, 14], [5, 10], 3)).toBe(false);
    expect(linesNear([14, 14], [5, 10], 4)).toBe(true);
    expect(linesNear([2, 2], [5, 10], 3)).toBe(true);
    expect(linesNear([10, 10], [5, 10], 3)).toBe(false);
  });

  it('takes a finding about half the file for a finding about nothing', () => {
    expect(linesMeet([1, 31], [5, 10])).toBe(false);
    expect(linesMeet([1, 30], [5, 10])).toBe(true);
    expect(linesMeet([1, 400], [1, 500])).toBe(true);
  });
});
