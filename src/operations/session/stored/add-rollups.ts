import { rollupOf, type SessionRollup } from '../../../store/rollup.ts';

/** Several as one, of no bucket and no group; of none, nothing. */
export function addRollups(rollups: readonly SessionRollup[]): SessionRollup {
  const sum = rollupOf(undefined, {}, [], []);
  // A year of days by model is thousands of them: a new object for every addition would take longer than reading them.
  for (const one of rollups) addTo(sum, one);
  return sum;
}

type Sums = { [name: string]: unknown };

/** Of numbers, of lists of numbers, and of what is made of these, all of the same shape. */
function addTo(sum: Sums, one: Readonly<Sums>): void {
  for (const name in sum) {
    const [own, other] = [sum[name], one[name]];
    if (typeof own === 'number') sum[name] = own + ((other as number | undefined) ?? 0);
    else if (Array.isArray(own)) addLists(own as number[], (other as number[] | undefined) ?? []);
    else if (name !== 'group' && typeof other === 'object') addTo(own as Sums, other as Sums);
  }
}

function addLists(sum: number[], one: readonly number[]): void {
  for (let i = 0; i < one.length; i += 1) sum[i] = (sum[i] ?? 0) + (one[i] as number);
}
