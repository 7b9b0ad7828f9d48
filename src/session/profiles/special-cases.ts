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
  /** Median cost of this agent's idle runs; undefined where there were too few of them. */
  readonly idleCost: { readonly costUsd: number; readonly from: string } | undefined;
};

const HEARTBEAT_OK = 0.8;
const NO_REPLY = 0.75;
const CRON_IDLE = 0.8;
/** A small bonus for leaving fast: always good, never excellent. */
const IDLE_SHARE = 0.85;
const BONUS = 0.25;
const GOOD_ENDS: ReadonlySet<string> = new Set(['normal', 'open', 'unknown', 'handoff']);

export function specialCaseOf(run: AgentRunFacts, context: IdleContext): SpecialScore | undefined {
  if (isEmpty(run)) {
    return { specialCase: 'empty', q: 0, because: `no output at all (end: ${run.end})`, coverage: 1 };
  }
  if (!isIdle(run)) return undefined;
  if (run.trigger === 'cron') return cronIdle(context);
  if (run.finalReply === 'no-reply') {
    if (isSilentAnswer(run)) return undefined;
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

/** Silence where somebody asked for an answer: not in a group, and not when nobody asked. */
export function isSilentAnswer({
  finalReply,
  trigger,
  inGroup,
  outputChars,
  finalReplyChars,
}: AgentRunFacts): boolean {
  const asked = trigger === 'user' || trigger === 'subagent';
  return finalReply === 'no-reply' && asked && inGroup !== true && outputChars <= finalReplyChars;
}

/**
 * Nothing said and nothing tried, in a source that would show it, or an error before anything could be seen. Calls that all
 * failed are bad work, not no work; an open run has only not answered yet.
 */
function isEmpty(run: AgentRunFacts): boolean {
  return (
    run.finalReply === 'empty' &&
    run.outputChars === 0 &&
    (run.tools.calls === 0 || run.end === 'error') &&
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
 * A scheduled run that found nothing: 0.80 × (0.85 + 0.25 × Efficiency), and less by as much as it cost more than this agent's
 * idle runs usually do.
 */
function cronIdle({ efficiency, costUsd, idleCost }: IdleContext): SpecialScore {
  // Without a measured Efficiency half of the bonus.
  const value = efficiency?.value ?? 0.5;
  const byEfficiency = CRON_IDLE * (IDLE_SHARE + BONUS * value);
  const known = costUsd !== undefined && idleCost !== undefined && idleCost.costUsd > 0;
  const burned = known && costUsd > idleCost.costUsd;
  const saidEfficiency = efficiency === undefined ? 'unmeasured' : short(value);
  const saidCost =
    costUsd === undefined
      ? 'cost unknown'
      : idleCost === undefined
        ? `cost $${short(costUsd)}, compared with nothing: five idle runs of this agent are needed`
        : `cost $${short(costUsd)} against $${short(idleCost.costUsd)} (${idleCost.from})`;
  return {
    specialCase: burned ? 'cron-burned' : 'cron-idle',
    q: burned ? byEfficiency * (idleCost.costUsd / costUsd) : byEfficiency,
    because: burned
      ? `it cost $${short(costUsd)} to find nothing to do, against $${short(idleCost.costUsd)} (${idleCost.from})`
      : `it found nothing to do; efficiency ${saidEfficiency}, ${saidCost}`,
    coverage: IDLE_SHARE + (1 - IDLE_SHARE) * (efficiency?.coverage ?? 0),
  };
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
