import type { MedianEffort } from '../signals/signal.ts';
import type { TaskType } from './task-type.ts';

/** Medians of one task type, with the median cost of a scheduled run that found nothing to do. */
export type TypeBaseline = MedianEffort & { readonly idleCostUsd: number };

/** A named, versioned set. It never changes by itself; every row names the one it was scored with. */
export type BaselineSet = {
  readonly name: string;
  readonly perType: Readonly<Record<TaskType, TypeBaseline>>;
  /** Agent → median cost of its own idle runs, where there were enough of them. */
  readonly idleCostByAgent?: Readonly<Record<string, number>>;
};

/**
 * The shipped set. What each figure rests on, all of it public data read by this program:
 * - `chat`: tau-bench and tau2-bench, eight files of three domains. The median of the domains' medians, and each of those
 *   the median of its files' medians, so that neither the largest file nor the domain with most files decides. Turns:
 *   469 runs; airline 6, retail 6, telecom 10.3. Tokens: the 240 runs of six files that count them; 0.016, 0.012, 0.0075.
 * - `coding`: 41 Claude Code sessions of one project (turns and tokens). 19 SWE-agent runs take one turn by construction
 *   and 3 of them count tokens (0.011); two pi sessions (0.0025; 72 turns) and one of Gemini CLI (0.0062) are too few.
 *   Claude Code writes down about half of what a model puts out, so its 0.0004 is a low line for agents that count all
 *   of it: they pass it easily. A line from them would punish Claude Code for its bookkeeping.
 * - `operations`, `research`, `discovery`, `heartbeat`, and every idle cost: estimates. The only 30 public runs of them are
 *   39 of one tau2-bench file in which an agent works a ticket alone (0.0024), and one file is no basis.
 * `baselines fit` replaces any of them with a person's own.
 */
export const SHIPPED_BASELINES: BaselineSet = {
  name: 'assay-2026.11',
  perType: {
    coding: { tokenRatio: 0.0004, turns: 2, idleCostUsd: 0.02 },
    operations: { tokenRatio: 0.01, turns: 1, idleCostUsd: 0.02 },
    research: { tokenRatio: 0.002, turns: 2, idleCostUsd: 0.02 },
    chat: { tokenRatio: 0.0123, turns: 6, idleCostUsd: 0.02 },
    discovery: { tokenRatio: 0.02, turns: 3, idleCostUsd: 0.02 },
    heartbeat: { tokenRatio: 0.002, turns: 1, idleCostUsd: 0.02 },
  },
};

/** What an idle run of this agent usually costs, and where that figure comes from. */
export function idleCostOf(
  set: BaselineSet,
  taskType: TaskType,
  agent: string | undefined,
): { readonly costUsd: number; readonly from: string } {
  const own = set.idleCostByAgent;
  if (agent !== undefined && own !== undefined && Object.hasOwn(own, agent)) {
    const costUsd = own[agent];
    if (costUsd !== undefined) return { costUsd, from: `the idle runs of ${agent}` };
  }
  return { costUsd: set.perType[taskType].idleCostUsd, from: `the set ${set.name}` };
}
