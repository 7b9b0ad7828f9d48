import { describe, expect, it } from 'vitest';
import { tableOf } from './view.ts';

describe('a table of items', () => {
  const items = [{ costUsd: 1.5, name: 'a' }, { name: 'b' }];

  it('reads a cell as its column says, or from the property that its key names', () => {
    expect(
      tableOf('Costs', items, [
        { key: 'place', unit: 'count', of: (_, index) => index + 1 },
        { key: 'name' },
        false,
        { key: 'cost_usd', title: 'cost', unit: 'usd', priority: 1 },
      ]),
    ).toEqual({
      kind: 'table',
      title: 'Costs',
      columns: [
        { key: 'place', title: 'place', unit: 'count' },
        { key: 'name', title: 'name', unit: 'text' },
        { key: 'cost_usd', title: 'cost', unit: 'usd', priority: 1 },
      ],
      rows: [
        { place: 1, name: 'a', cost_usd: 1.5 },
        { place: 2, name: 'b', cost_usd: undefined },
      ],
    });
  });
});
