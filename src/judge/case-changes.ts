import type { Unit } from '../measure/metric.ts';
import { type Change, type ComparePolicy, compareWithBaseline, type Side } from './compare.ts';
import type { Direction } from './zone.ts';

/** What changed in one case; one that only one of the two runs measured has no changes. */
export type CaseChange = { readonly id: string; readonly changes: Readonly<Record<string, Change>> };

/** The same sizes as for the whole: which cases got better, and which worse. In the order of their ids. */
export function caseChanges(
  metrics: readonly {
    readonly id: string;
    readonly title: string;
    readonly unit: Unit;
    readonly better: Direction;
  }[],
  current: Side,
  baseline: Side,
  policy: ComparePolicy,
): CaseChange[] {
  const ids = Object.keys(baseline.cases).filter((id) => Object.hasOwn(current.cases, id));
  return ids.toSorted().map((id) => {
    const alone = (side: Side): Side => ({ ...side, metrics: side.cases[id] ?? {}, cases: {} });
    const { changes } = compareWithBaseline(metrics, alone(current), alone(baseline), policy, {
      insist: true,
    });
    return { id, changes };
  });
}
