/** Runs whose score is a rule of its own rather than the weighted sum: correct idleness, and nothing at all. */
import type { AgentRunFacts } from '../evidence.ts';
import { isTextRecorded } from '../unobservable.ts';

export type SpecialCase = 'heartbeat-ok' | 'no-reply' | 'empty' | 'cron-idle' | 'cron-burned';

export type SpecialScore = {
  readonly specialCase: SpecialCase;
  readonly q: number;
  readonly because: string;
  /** How much of the rule rests on something measured. */
  readonly coverage: number;
};

export type IdleContext = {
  /** The run's Efficiency and how much of it was measured; undefined when nothing of it was. */
  readonly efficiency: { readonly value: number; readonly coverage: number } | undefined;
  readonly costUsd: number | undefined;
  readonly idleCost: { readonly costUsd: number; readonly from: string };
};

const HEARTBEAT_OK = 0.8;
const NO_REPLY = 0.75;
const CRON_IDLE = 0.8;
/** Of the rule for scheduled runs: that it was idle, which was seen; its Efficiency decides the rest. */
const IDLE_SHARE = 0.75;
const GOOD_ENDS: ReadonlySet<string> = new Set(['normal', 'open', 'unknown', 'handoff']);

export function specialCaseOf(run: AgentRunFacts, context: IdleContext): SpecialScore | undefined {
  if (isEmpty(run)) {
    return { specialCase: 'empty', q: 0, because: `no output at all (end: ${run.end})`, coverage: 1 };
  }
  if (!isIdle(run)) return undefined;
  if (run.trigger === 'cron') return cronIdle(context);
  if (run.finalReply === 'no-reply') {
    return { specialCase: 'no-reply', q: NO_REPLY, because: 'it rightly stayed silent', coverage: 1 };
  }
  if (run.finalReply === 'heartbeat-ok' || run.trigger === 'heartbeat') {
    return {
      specialCase: 'heartbeat-ok',
      q: HEARTBEAT_OK,
      because: 'it found nothing to do and said so',
      coverage: 1,
    };
  }
  return undefined;
}

/** Nothing said and nothing tried, in a source that would show it. Calls that all failed are bad work, not no work; an open run has only not answered yet. */
function isEmpty(run: AgentRunFacts): boolean {
  return (
    run.finalReply === 'empty' &&
    run.outputChars === 0 &&
    run.tools.calls === 0 &&
    run.end !== 'open' &&
    isTextRecorded(run) &&
    run.artifacts.every((one) => one.made === 0)
  );
}

/**
 * It says there is nothing to do, and nothing contradicts it: no change was tried but to say or note so, no tool failed,
 * nobody objected.
 */
function isIdle(run: AgentRunFacts): boolean {
  const saysSo =
    run.finalReply === 'heartbeat-ok' ||
    run.finalReply === 'no-reply' ||
    run.finalReply === 'nothing-to-report';
  return (
    saysSo &&
    run.changesAttempted <= run.idleChanges &&
    run.tools.failed === 0 &&
    run.corrections === 0 &&
    GOOD_ENDS.has(run.end)
  );
}

/**
 * A scheduled run that found nothing: its Efficiency decides, and its cost where that allows less. The two formulas of
 * the standard, the lower one holds: so the score falls without a step where the cost passes the usual one.
 */
function cronIdle({ efficiency, costUsd, idleCost }: IdleContext): SpecialScore {
  // Without a measured Efficiency neither bonus nor penalty: 0.75 + 0.5 × 0.5 is 1.
  const value = efficiency?.value ?? 0.5;
  const byEfficiency = Math.min(1, CRON_IDLE * (IDLE_SHARE + 0.5 * value));
  const known = costUsd !== undefined && costUsd > 0 && idleCost.costUsd > 0;
  const byCost = known ? (CRON_IDLE * idleCost.costUsd) / costUsd : 1;
  const q = Math.min(byEfficiency, byCost);
  if (known && costUsd > idleCost.costUsd) {
    return {
      specialCase: 'cron-burned',
      q,
      because: `it cost $${short(costUsd)} to find nothing to do, against $${short(idleCost.costUsd)} (${idleCost.from})`,
      coverage: 1,
    };
  }
  return {
    specialCase: 'cron-idle',
    q,
    because: `it found nothing to do; efficiency ${efficiency === undefined ? 'unmeasured' : short(value)}, cost ${
      costUsd === undefined
        ? 'unknown'
        : `$${short(costUsd)}, within $${short(idleCost.costUsd)} (${idleCost.from})`
    }`,
    coverage: byCost < byEfficiency ? 1 : IDLE_SHARE + (1 - IDLE_SHARE) * (efficiency?.coverage ?? 0),
  };
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
