/** Whether two workflows differ in F1 beyond the luck of which tasks there were. */
import { random } from '../../stats/random.ts';
import { f1Of, sumOf, type TaskCell } from './task-cell.ts';

export type SwapTest = {
  readonly difference: number;
  readonly p: number;
  /** Tasks on which the two differ: only these can be exchanged. */
  readonly n: number;
};

const EXACT_UP_TO = 12;
const SWAPS = 10_000;

/**
 * If neither is better, what they did on a task could as well have been done by the other. p is the share of exchanges
 * whose difference in F1 is at least as large as the real one; all of them up to 12 tasks, otherwise 10,000 seeded ones.
 */
export function swapTest(pairs: readonly (readonly [TaskCell, TaskCell])[], seed = 1): SwapTest | undefined {
  const differ = pairs.filter(
    ([a, b]) => JSON.stringify({ ...a, runs: 0 }) !== JSON.stringify({ ...b, runs: 0 }),
  );
  const [a, b] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
  const [first, second] = [f1Of(sumOf(a)), f1Of(sumOf(b))];
  if (first === undefined || second === undefined) return undefined;
  const base = [sumOf(a), sumOf(b)] as const;
  const difference = first - second;
  const reach = Math.abs(difference) - 1e-12;
  const swapped = (isOut: (index: number) => boolean): boolean => {
    const parts = differ.filter((_, index) => isOut(index));
    const [mine, theirs] = [sumOf(parts.map(([one]) => one)), sumOf(parts.map(([, other]) => other))];
    const moved = (from: (typeof base)[0], away: typeof mine, back: typeof mine) => ({
      expected: from.expected - away.expected + back.expected,
      found: from.found - away.found + back.found,
      reported: from.reported - away.reported + back.reported,
      right: from.right - away.right + back.right,
      unjudged: 0,
    });
    const [one, other] = [f1Of(moved(base[0], mine, theirs)), f1Of(moved(base[1], theirs, mine))];
    return Math.abs((one ?? 0) - (other ?? 0)) >= reach;
  };
  const n = differ.length;
  if (n <= EXACT_UP_TO) {
    let asFar = 0;
    for (let signs = 0; signs < 2 ** n; signs++)
      if (swapped((index) => ((signs >>> index) & 1) === 1)) asFar++;
    return { difference, p: asFar / 2 ** n, n };
  }
  const source = random(seed);
  let asFar = 1;
  for (let swap = 0; swap < SWAPS; swap++) {
    const bits = Array.from({ length: Math.ceil(n / 32) }, () => source.bits());
    if (swapped((index) => (((bits[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1)) asFar++;
  }
  return { difference, p: asFar / (SWAPS + 1), n };
}
