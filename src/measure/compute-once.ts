import type { Measurement } from './metric.ts';

type Compute<Case> = (cases: readonly Case[]) => Measurement;

/** Computes once for the same cases in the same order, whoever asks for them. */
export function computeOnce<Case extends object>(compute: Compute<Case>): Compute<Case> {
  const numbers = new WeakMap<Case, number>();
  const known = new Map<string, Measurement>();
  let last = 0;
  const numberOf = (one: Case) => {
    const number = numbers.get(one) ?? ++last;
    numbers.set(one, number);
    return number;
  };
  return (cases) => {
    const key = cases.map(numberOf).join(' ');
    const measurement = known.get(key) ?? compute(cases);
    known.set(key, measurement);
    return measurement;
  };
}
