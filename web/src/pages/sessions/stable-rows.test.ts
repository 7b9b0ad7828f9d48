import { describe, expect, it } from 'vitest';
import { stableRows } from './stable-rows.ts';

type Row = { readonly key: string; readonly q: number };
const rows = (text: string): Row[] =>
  text.split(' ').map((one) => ({ key: one[0] ?? '', q: Number(one.slice(1)) }));
const hold = (before: string, next: string, busy: boolean) =>
  stableRows(rows(before), rows(next), ({ key }) => key, busy);

describe('rows of a live table', () => {
  it('stay in their places under the pointer, with new values, and say how many wait', () => {
    expect(hold('a1 b2', 'd9 b5 a1', true)).toEqual({ shown: rows('a1 b5'), waiting: 1 });
  });

  it('that went stay until the reader has left', () => {
    expect(hold('a1 b2', 'b2', true).shown).toEqual(rows('a1 b2'));
    expect(hold('a1 b2', 'b2', false).shown).toEqual(rows('b2'));
  });

  it('are what came when nobody is there', () => {
    expect(hold('a1 b2', 'd9 b5 a1', false)).toEqual({ shown: rows('d9 b5 a1'), waiting: 0 });
  });
});
