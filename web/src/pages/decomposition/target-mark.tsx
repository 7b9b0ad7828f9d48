import type { Measured as Measurement } from '../../api/shapes.ts';
import { Pill } from '../../parts/pill.tsx';
import type { Target } from './targets.ts';

/** Without an interval, fewer say nothing. */
const ENOUGH = 30;

/** Where it should be, and whether it is: as far as the interval leaves no doubt, as `assay production status` says it. */
export function TargetMark({
  of,
  target,
}: {
  readonly of: Measurement;
  readonly target: Target | undefined;
}) {
  if (target === undefined) return <span class="faint">–</span>;
  switch (standingOf(of, target)) {
    case 'met':
      return <Pill tone="good">✓ {target.says}</Pill>;
    case 'missed':
      return <Pill tone="caution">▲ {target.says}</Pill>;
    case 'unclear':
      return <Pill tone="quiet">? {target.says}, unclear</Pill>;
    case 'not measured':
      return <span class="faint">{target.says}</span>;
  }
}

function standingOf({ value, low, high, n }: Measurement, { met, between }: Target) {
  if (value === null) return 'not measured';
  const [from, to] = [low ?? value, high ?? value];
  if (low == null && n < ENOUGH) return 'unclear';
  const ends = [met(from), met(value), met(to)];
  if (ends.every(Boolean)) return 'met';
  const isAround = between !== undefined && from < between[0] && to > between[1];
  return ends.some(Boolean) || isAround ? 'unclear' : 'missed';
}
