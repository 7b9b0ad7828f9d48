/**
 * How long does the optimal assignment take? Run: `node bench/assignment.ts`.
 * Printed as a ratio against a floor of the same run, one sort of the same matrix, so that the figure means
 * something on another machine.
 */
import { assignment } from '../src/stats/assignment.ts';
import { random } from '../src/stats/random.ts';

const REPEATS = 3;

function best(work: () => unknown): number {
  let least = Infinity;
  for (let i = 0; i < REPEATS; i++) {
    const start = performance.now();
    work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

function bench(name: string, size: number, value: (bits: number, row: number, col: number) => number): void {
  const source = random(1);
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < matrix.length; i++) {
    matrix[i] = value(source.bits() / 2 ** 32, Math.floor(i / size), i % size);
  }
  const floor = best(() => matrix.toSorted());
  const time = best(() => assignment(matrix, size, size));
  const ratio = (time / floor).toFixed(2);
  console.log(
    `${name.padEnd(34)} ${String(size).padStart(5)}²  ${time.toFixed(0).padStart(6)} ms = ${ratio} × a sort of the matrix (${floor.toFixed(0)} ms)`,
  );
}

for (const size of [500, 2000]) {
  bench('random', size, (share) => share);
  bench('whole numbers 0–99 (many ties)', size, (share) => Math.floor(share * 100));
  bench('1% of pairs allowed', size, (share) => (share < 0.01 ? share : Infinity));
  bench('blocks of 20 (similar items)', size, (share, row, col) =>
    Math.floor(row / 20) === Math.floor(col / 20) ? share : Infinity,
  );
}
