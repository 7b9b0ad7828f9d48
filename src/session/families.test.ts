import { describe, expect, it } from 'vitest';
import { familiesOf, type Relative, totalCosts } from './families.ts';

function relative(key: string, path: string, part: Partial<Relative> = {}): Relative {
  return { key, id: 's', parentId: undefined, source: 'toy', path, costUsd: 1, ...part };
}

function totals(relatives: readonly Relative[]): Record<string, number | undefined> {
  const { families, uncertain } = familiesOf(relatives);
  const costs = totalCosts(families);
  const sums = families.map(({ key }) => [key, uncertain.has(key) ? undefined : costs.get(key)]);
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
  expect(families.filter(({ parentKey }) => parentKey !== undefined)).toHaveLength(20_000);
});

describe('the cost of a session with all below it', () => {
  const member = (key: string, costUsd?: number, parentKey?: string) => ({ key, parentKey, costUsd });
  const costs = (...members: ReturnType<typeof member>[]) => Object.fromEntries(totalCosts(members));

  it('counts everything below, once, and is not known when one cost is not', () => {
    expect(
      costs(member('top', 1), member('a', 2, 'top'), member('b', 4, 'top'), member('below a', 8, 'a')),
    ).toEqual({ top: 15, a: 10, b: 4, 'below a': 8 });
    expect(costs(member('top', 1), member('a', undefined, 'top'))).toEqual({});
  });

  it('looks at each session once, however long the chain of parents is', () => {
    let looks = 0;
    const chain = Array.from({ length: 15_000 }, (_, i) => ({
      key: `s${i}`,
      parentKey: `s${i - 1}`,
      get costUsd() {
        looks += 1;
        return 1;
      },
    }));
    expect(totalCosts(chain).get('s0')).toBe(15_000);
    expect(looks).toBe(15_000);
  });

  it('is that of the whole circle where parents form one', () => {
    const circle = [member('a', 1, 'b'), member('b', 2, 'a')];
    expect(costs(...circle, member('c', 4, 'c'))).toEqual({ a: 3, b: 3, c: 4 });
    expect(costs(...circle, member('under', 4, 'a'))).toEqual({ a: 7, b: 7, under: 4 });
  });
});
