import { AssayError } from '../errors.ts';

/**
 * Keeps a ceiling for calls that run at the same time: each reserves the most that it can cost before it starts, so
 * that the sum never exceeds the ceiling. A call that does not fit waits for those under way to turn out cheaper.
 */
export type Budget = {
  readonly reserve: (mostUsd: number, signal: AbortSignal) => Promise<void>;
  /** Ends a reservation. A call with an unknown cost counts as the most it could have cost. */
  readonly settle: (mostUsd: number, costUsd: number | undefined) => void;
  readonly spentUsd: () => number;
};

export function openBudget(ceilingUsd: number = Number.POSITIVE_INFINITY): Budget {
  let spent = 0;
  let assumed = 0;
  let reserved = 0;
  let underWay = 0;
  let waiting: (() => void)[] = [];
  return {
    reserve: async (mostUsd, signal) => {
      for (;;) {
        signal.throwIfAborted();
        const left = ceilingUsd - spent - assumed - reserved;
        if (mostUsd <= left) break;
        if (underWay === 0) throw exceeded(mostUsd, ceilingUsd, spent + assumed);
        await new Promise<void>((wake) => waiting.push(wake));
      }
      reserved += mostUsd;
      underWay += 1;
    },
    settle: (mostUsd, costUsd) => {
      underWay -= 1;
      // Sums of fractions leave crumbs.
      reserved = underWay === 0 ? 0 : reserved - mostUsd;
      spent += costUsd ?? 0;
      if (costUsd === undefined) assumed += mostUsd;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    spentUsd: () => spent,
  };
}

function exceeded(mostUsd: number, ceilingUsd: number, usedUsd: number): AssayError {
  const dollars = (value: number) => `$${Number(value.toPrecision(3))}`;
  return new AssayError(
    'COST_CEILING',
    `the next call can cost up to ${dollars(mostUsd)}, and ${dollars(usedUsd)} of the ceiling of ${dollars(ceilingUsd)} is used`,
  );
}
