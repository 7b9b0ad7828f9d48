/** Readings of a run from its repository. They take precedence over the transcript, because they are later. */
import type { AgentRunFacts } from '../evidence.ts';
import type { Reading } from '../signals/signal.ts';
import { outcomeOfVerification, type Verification } from '../verify/verification.ts';
import { SURVIVAL_DAYS, type Survival, type WorkOutcome } from './work-outcome.ts';

/** A run that wrote nothing has no part in the outcome. */
function wroteFiles({ artifacts }: AgentRunFacts): boolean {
  return artifacts.some(({ artifact, made }) => made > 0 && (artifact === 'file' || artifact === 'commit'));
}

/** Undefined: the repository does not say. */
export function stateInRepository(
  run: AgentRunFacts,
  work: WorkOutcome | undefined,
  verification?: Verification,
): Reading | undefined {
  if (!wroteFiles(run)) return undefined;
  const checked = outcomeOfVerification(verification);
  if (checked !== undefined)
    return {
      measured: true,
      value: checked,
      because: `the project's own check: ${verification?.result}`,
      lines: [],
    };
  if (work === undefined) return undefined;
  const { state, reverted, defaultBranch = 'the default branch' } = work;
  const reading = (value: number, because: string): Reading => ({
    measured: true,
    value,
    because: `the repository shows: ${because}`,
    lines: [],
  });
  if (reverted) return reading(0, 'its commit was reverted');
  if (state === 'on-default')
    return reading(worthOf(work, 1), `${partOf(work.shares?.onDefault)} came into ${defaultBranch}`);
  // A pull request may have been merged since the repository was last fetched.
  if (run.stateChange?.what === 'pull request merged') return undefined;
  if (state === 'committed') {
    const part = partOf(work.shares?.committed);
    return reading(worthOf(work, COMMITTED_ONLY), `${part} was committed, but is not on ${defaultBranch}`);
  }
  return state === 'not-committed' ? reading(0, 'nothing of its work was committed') : undefined;
}

const COMMITTED_ONLY = 0.5;

/**
 * A line on the default branch counts fully, a line that is only committed counts half. `whole`: the value without line
 * evidence.
 */
function worthOf({ shares }: WorkOutcome, whole: number): number {
  if (shares === undefined) return whole;
  return shares.onDefault + COMMITTED_ONLY * Math.max(0, shares.committed - shares.onDefault);
}

function partOf(share: number | undefined): string {
  return share === undefined || share === 1 ? 'its work' : `${Math.round(100 * share)}% of its lines`;
}

/** By the longest measurable survival. Undefined: the repository does not say. */
export function acceptanceInRepository(
  run: AgentRunFacts,
  work: WorkOutcome | undefined,
): Reading | undefined {
  if (work?.state !== 'on-default' || !wroteFiles(run)) return undefined;
  if (work.reverted)
    return { measured: true, value: 0, because: 'the repository shows: its commit was reverted', lines: [] };
  const days = SURVIVAL_DAYS.findLast((one) => 'share' in work.survival[one]);
  const survival: Survival = work.survival[days ?? 1];
  if (days !== undefined && 'share' in survival) {
    const part = `${Math.round(100 * survival.share)}% of its lines`;
    const because = `the repository shows: ${part} were still there after ${days === 1 ? 'a day' : `${days} days`}`;
    return { measured: true, value: survival.share, because, lines: [] };
  }
  return 'from' in survival && survival.from !== undefined
    ? {
        measured: false,
        reason: `too young: survival of its lines is measurable from ${dayOf(survival.from)}`,
      }
    : undefined;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
