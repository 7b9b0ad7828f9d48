import { checkSameLength } from './check-input.ts';
import type { Label } from './label.ts';

/** Two raters' labels as a table of shares that sum to 1. `cells[row][col]`: first said `row`, second `col`. */
export type JointShares = {
  readonly cells: readonly (readonly number[])[];
  readonly rows: readonly number[];
  readonly cols: readonly number[];
  readonly n: number;
};

/**
 * Cross-tabulates two lists of labels. Without given categories, the labels that occur are taken in a fixed order,
 * so that the order of the items cannot change the last digit of a sum over the table.
 *
 * Reference: R `prop.table(table(first, second))`. Cost: O(n).
 * Worked value: a a b against a b b → cells [[1/3, 1/3], [0, 1/3]], rows 2/3 and 1/3, cols 1/3 and 2/3.
 */
export function jointShares(
  first: readonly Label[],
  second: readonly Label[],
  categories: readonly Label[] = inFixedOrder([...first, ...second]),
): JointShares {
  checkSameLength(first, second, ['first', 'second']);
  const places = new Map(categories.map((category, place) => [category, place]));
  const size = categories.length;
  const counts = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const [item, label] of first.entries()) {
    const row = counts[placeOf(places, label)] as number[];
    const col = placeOf(places, second[item] as Label);
    row[col] = (row[col] as number) + 1;
  }
  const n = first.length;
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  return {
    cells: counts.map((row) => row.map((count) => count / n)),
    rows: counts.map((row) => total(row) / n),
    cols: counts.map((_, col) => total(counts.map((row) => row[col] as number)) / n),
    n,
  };
}

function inFixedOrder(labels: readonly Label[]): Label[] {
  const key = (label: Label): string => `${typeof label} ${label}`;
  return [...new Set(labels)].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function placeOf(places: ReadonlyMap<Label, number>, label: Label): number {
  const place = places.get(label);
  if (place === undefined)
    throw new RangeError(`the label ${JSON.stringify(label)} is not one of the categories`);
  return place;
}
