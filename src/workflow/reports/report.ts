/** Everything that is said about an experiment, before anybody words it. */

import { bandOf } from '../bands.ts';
import { claimsOf, differentTasks, RUNS_PER_TASK, TASKS_TO_GENERALISE } from '../compare/claims.ts';
import type { WorkflowComparison } from '../compare/measure-sides.ts';
import type { Reading } from '../ingest/mapping.ts';
import { discoveryRate } from '../metrics/discovery-rate.ts';
import { SEVERITIES, type Severity } from '../truth.ts';
import { type CategoryCell, type CategoryHeatmap, TASKS_FOR_BLIND_SPOT } from './category-heatmap.ts';
import { type ConcernRow, type ErrorAcross, type ExaminedArm, runsOf, workflowsOf } from './error-matrix.ts';
import type { ExperimentRow } from './experiments.ts';

export type Report = {
  readonly baseline: string;
  readonly arms: readonly ExaminedArm[];
  readonly experiments: readonly ExperimentRow[];
  readonly comparisons: readonly WorkflowComparison[];
  readonly heatmap: CategoryHeatmap;
  readonly errors: readonly ErrorAcross[];
  readonly concerns: readonly ConcernRow[];
  readonly fixes: readonly Fix[];
  readonly claims: readonly ReportClaim[];
};

export type ReportedExperiment = Reading & { readonly name: string; readonly report: Report };

/** What a report may say at all: the documented sample sizes, and what is missing where they are not reached. */
export type ReportClaim = {
  readonly claim: 'assessed' | 'better' | 'generalises' | 'blind spot';
  readonly about: string;
  readonly allowed: boolean;
  readonly missing?: string;
};

export function reportClaims(
  arms: readonly ExaminedArm[],
  baseline: string,
  heatmap: CategoryHeatmap,
): ReportClaim[] {
  const workflows = workflowsOf(arms);
  const needs = (claim: ReportClaim['claim'], about: string, there: number, needed: number, of: string) => {
    const missing = `${needed} ${of} are needed; there ${there === 1 ? 'is' : 'are'} ${there}`;
    return { claim, about, ...(there >= needed ? { allowed: true } : { allowed: false, missing }) };
  };
  return [
    ...arms.map(({ workflow, task, runs }) =>
      needs('assessed', `${workflow} on ${task}`, runs.length, RUNS_PER_TASK, 'runs on the same task'),
    ),
    ...workflows
      .filter((workflow) => workflow !== baseline)
      .map((workflow) => {
        const claims = claimsOf(runsOf(arms, baseline), runsOf(arms, workflow));
        const { allowed = false, missing = '' } = claims.find(({ claim }) => claim === 'better') ?? {};
        const about = `${workflow} against ${baseline}`;
        return { claim: 'better' as const, about, allowed, ...(!allowed && { missing }) };
      }),
    ...workflows.map((workflow) => {
      const full = arms.filter((arm) => arm.workflow === workflow && arm.runs.length >= RUNS_PER_TASK);
      const of = `tasks with ${RUNS_PER_TASK} runs each`;
      const tasks = full.map(({ task }) => task);
      const distinct = differentTasks(runsOf(arms, workflow), tasks);
      return needs('generalises', workflow, distinct, TASKS_TO_GENERALISE, of);
    }),
    ...heatmap.rows.flatMap(({ workflow, cells }) =>
      cells
        .filter(({ blindSpot }) => blindSpot !== undefined)
        .map(({ category, tasks }) =>
          needs(
            'blind spot',
            `${workflow} ${category}`,
            tasks,
            TASKS_FOR_BLIND_SPOT,
            'tasks with that category',
          ),
        ),
    ),
  ];
}

/** What a workflow should work on next, most important first. */
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
    const disputed = open.filter((finding) => finding.disputed).length;
    return [
      low.length > 0 && ({ workflow, kind: 'category', cells: low } as const),
      never.length > 0 && ({ workflow, kind: 'never-found', errors: never } as const),
      poor.length > 0 && ({ workflow, kind: 'concern', concerns: poor } as const),
      open.length > 0 && ({ workflow, kind: 'unresolved', findings: open.length, disputed } as const),
      novel && ({ workflow, kind: 'truth', discovery: discovery.value } as const),
    ].filter((fix) => fix !== false);
  });
}
