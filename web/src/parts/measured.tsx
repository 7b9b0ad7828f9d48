/** A measurement as people read it: value, interval, how many it rests on; unmeasured is a dash with its reason. */
import { formatCount, formatInterval, formatValue, UNMEASURED } from '../../../src/report/number.ts';
import type { Measured as Measurement } from '../api/shapes.ts';
import { Hint } from './hint.tsx';

export type Unit = Parameters<typeof formatValue>[1];

export function Unmeasured({ reason }: { readonly reason?: string | undefined }) {
  return <Hint text={reason ?? 'not measured'}>{UNMEASURED}</Hint>;
}

/** A bare value that may be missing. */
export function Value({
  of,
  unit,
  reason,
}: {
  readonly of: number | null | undefined;
  readonly unit: Unit;
  readonly reason?: string | undefined;
}) {
  return of === null || of === undefined ? (
    <Unmeasured reason={reason} />
  ) : (
    <span>{formatValue(of, unit)}</span>
  );
}

export function Measured({
  of,
  unit,
  n = false,
  short = false,
}: {
  readonly of: Measurement;
  readonly unit: Unit;
  /** Shares in whole percents, where there is little room. */
  readonly short?: boolean;
  /** Say how many it rests on. */
  readonly n?: boolean;
}) {
  if (of.value === null) return <Unmeasured reason={of.reason} />;
  const { low, high } = of;
  const interval =
    short && unit === 'ratio' && low !== null && high !== null
      ? `[${Math.round(100 * low)}, ${Math.round(100 * high)}]`
      : formatInterval(low ?? undefined, high ?? undefined, unit);
  return (
    <span class="keep">
      {formatValue(of.value, unit)}
      {interval !== '' && <span class="faint"> {interval}</span>}
      {n && <span class="faint"> n {formatCount(of.n)}</span>}
    </span>
  );
}
