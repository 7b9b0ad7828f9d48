/** What a workflow should work on next, most important first. */
import { bandOf } from '../bands.ts';
import { discoveryRate } from '../metrics/discovery-rate.ts';
import { SEVERITIES, type Severity } from '../truth.ts';
import type { CategoryCell, CategoryHeatmap } from './category-heatmap.ts';
import type { ConcernRow } from './concern-table.ts';
import type { ErrorAcross } from './error-matrix.ts';
import { type ExaminedArm, runsOf, workflowsOf } from './examined-arm.ts';

export type Fix = { readonly workflow: string } & (
  | { readonly kind: 'category'; readonly cells: readonly CategoryCell[] }
  | {
      readonly kind: 'never-found';
      readonly errors: readonly {
        readonly task: string;
        readonly id: string;
        readonly severity: Severity;
      }[];
    }
  | { readonly kind: 'concern'; readonly concerns: readonly ConcernRow[] }
  | { readonly kind: 'unresolved'; readonly findings: number; readonly disputed: number }
  | { readonly kind: 'truth'; readonly discovery: number }
);

export function fixNext(
  arms: readonly ExaminedArm[],
  heatmap: CategoryHeatmap,
  errors: readonly ErrorAcross[],
  concerns: readonly ConcernRow[],
): Fix[] {
  return workflowsOf(arms).flatMap((workflow): Fix[] => {
    const runs = runsOf(arms, workflow);
    const low = (heatmap.rows.find((row) => row.workflow === workflow)?.cells ?? [])
      .filter(({ blindSpot }) => blindSpot !== undefined)
      .toSorted((a, b) => a.rate - b.rate || b.errors - a.errors);
    const never = errors
      .filter(({ arms: own }) => own.some((arm) => arm.workflow === workflow && arm.found === 0))
      .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
      .map(({ task, id, severity }) => ({ task, id, severity }));
    const poor = concerns.filter((concern) => concern.workflow === workflow && concern.low);
    const open = runs.flatMap(({ findings }) => findings.filter((finding) => finding.class === 'UNRESOLVED'));
    const discovery = discoveryRate.compute(runs);
    const novel = discovery.measured && bandOf('dis', discovery.value)?.word === 'Novel';
    return [
      ...(low.length > 0 ? [{ workflow, kind: 'category', cells: low } as const] : []),
      ...(never.length > 0 ? [{ workflow, kind: 'never-found', errors: never } as const] : []),
      ...(poor.length > 0 ? [{ workflow, kind: 'concern', concerns: poor } as const] : []),
      ...(open.length > 0
        ? [
            {
              workflow,
              kind: 'unresolved',
              findings: open.length,
              disputed: open.filter(({ disputed }) => disputed).length,
            } as const,
          ]
        : []),
      ...(novel ? [{ workflow, kind: 'truth', discovery: discovery.value } as const] : []),
    ];
  });
}
