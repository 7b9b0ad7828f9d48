import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOut } from './graph-layout.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const edges = fc.array(fc.record({ from: name, to: name }), { maxLength: 30 });

describe('the picture of a graph', () => {
  it('leads from left to right, and what stands alone has a place too', () => {
    const { nodes, columns } = layOut(
      [
        { from: 'rain', to: 'flood' },
        { from: 'flood', to: 'damage' },
        { from: 'rain', to: 'damage' },
      ],
      ['wind'],
    );
    const at = new Map(nodes.map((node) => [node.name, node.column]));
    expect([...['rain', 'flood', 'damage', 'wind'].map((one) => at.get(one))]).toEqual([0, 1, 2, 0]);
    expect(columns).toBe(3);
  });

  it('gives every concept one place of its own, circles and loops or not', () => {
    fc.assert(
      fc.property(edges, (drawn) => {
        const { nodes, columns, rows } = layOut(drawn);
        expect(new Set(nodes.map((node) => node.name))).toEqual(
          new Set(drawn.flatMap(({ from, to }) => [from, to])),
        );
        expect(new Set(nodes.map(({ column, row }) => `${column} ${row}`)).size).toBe(nodes.length);
        for (const { column, row } of nodes) expect(column < columns && row < rows).toBe(true);
      }),
    );
  });

  it('is the same each time', () => {
    fc.assert(
      fc.property(edges, (drawn) => {
        expect(layOut([...drawn])).toEqual(layOut(drawn));
      }),
    );
  });
});
