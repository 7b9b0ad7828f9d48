import type { MedianEffort } from '../signals/signal.ts';
import type { TaskType } from './task-type.ts';

/** A named, versioned set. It never changes by itself; every row names the one it was scored with. */
export type BaselineSet = {
  readonly name: string;
  readonly perType: Readonly<Record<TaskType, MedianEffort>>;
  /** Agent → median cost of its own idle runs, where there were enough of them. */
  readonly idleCostByAgent?: Readonly<Record<string, number>>;
};

/**
 * The shipped set: only figures that data stands behind, all of it public and read by this program. What is absent is
 * unmeasured until somebody fits it from their own history.
 * - `chat`: tau-bench and tau2-bench, eight files of three domains. The median of the domains' medians, and each of those
 *   the median of its files' medians, so that neither the largest file nor the domain with most files decides. Turns for
 *   each request without thanks: 469 runs; airline 6, retail 5.5, telecom 6.6. Tokens: the 240 runs of six files that count them; 0.016,
 *   0.012, 0.0075.
 * - `coding`: turns for each request of 41 Claude Code sessions of one project; 22 SWE-agent runs have the same median.
 *   No token ratio: most of those sessions record less output than can be seen in them.
 */
export const SHIPPED_BASELINES: BaselineSet = {
  name: 'assay-2026.11.2',
  perType: {
    coding: { turns: 1 },
    operations: {},
    research: {},
    chat: { tokenRatio: 0.0123, turns: 6 },
    discovery: {},
    heartbeat: {},
  },
};

/** The usual cost of an idle run of this agent; undefined with too few of them. */
export function idleCostOf(
  { idleCostByAgent: own }: BaselineSet,
  agent: string | undefined,
): { readonly costUsd: number; readonly from: string } | undefined {
  if (agent === undefined || own === undefined || !Object.hasOwn(own, agent)) return undefined;
  const costUsd = own[agent];
  return costUsd === undefined ? undefined : { costUsd, from: `the idle runs of ${agent}` };
}
