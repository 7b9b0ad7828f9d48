import { expect, it } from 'vitest';
import { familiesOf, type Relative, rollup } from './families.ts';

function relative(key: string, path: string, part: Partial<Relative> = {}): Relative {
  return { key, id: 's', parentId: undefined, source: 'toy', path, q: undefined, costUsd: 1, ...part };
}

function totals(relatives: readonly Relative[]): Record<string, number | undefined> {
  const { families, uncertain } = familiesOf(relatives);
  const sums = [...rollup(families)].map(([key, { totalCostUsd }]) => [
    key,
    uncertain.has(key) ? undefined : totalCostUsd,
  ]);
  return Object.fromEntries(sums);
}

it('gives each of two sessions of one id what was started in its own project', () => {
  const started = (key: string, path: string) => relative(key, path, { id: key, parentId: 's', costUsd: 5 });
  expect(
    totals([
      relative('one', '/one/s.jsonl'),
      relative('two', '/two/s.jsonl'),
      started('x', '/one/s/subagents/x.jsonl'),
      started('y', '/two/s/subagents/y.jsonl'),
      started('z', '/two/s/subagents/z.jsonl'),
    ]),
  ).toEqual({ one: 6, two: 11, x: 5, y: 5, z: 5 });
});

it('does not know what a session came to when another one may have started a part of it', () => {
  expect(
    totals([
      relative('one', '/work/one/s.jsonl'),
      relative('two', '/work/two/s.jsonl'),
      relative('x', '/work/x.jsonl', { id: 'x', parentId: 's' }),
    ]),
  ).toEqual({ one: undefined, two: undefined, x: 1 });
});

it('prefers the session of the same source, and the same file to any folder', () => {
  expect(
    totals([
      relative('one', '/a/s.jsonl', { source: 'other' }),
      relative('two', '/b/s.jsonl'),
      relative('three', '/b/both.jsonl'),
      relative('x', '/b/both.jsonl', { id: 'x', parentId: 's' }),
    ]),
  ).toEqual({ one: 1, two: 1, three: 2, x: 1 });
});

it('looks at each place of each session once, however many have one id', () => {
  const many = Array.from({ length: 20_000 }, (_, i) => relative(`p${i}`, `/work/${i}/s.jsonl`));
  const started = many.map((_, i) => relative(`c${i}`, `/work/${i}/c.jsonl`, { id: `c${i}`, parentId: 's' }));
  const { families, uncertain } = familiesOf([...many, ...started]);
  expect(uncertain.size).toBe(0);
  expect(families.filter(({ parentSessionId }) => parentSessionId !== undefined)).toHaveLength(20_000);
});
