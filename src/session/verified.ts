/** Whether the result was verified: by a check after the last change, by a merge, or by acceptance. */
import type { AgentRunFacts } from './evidence.ts';
import { isCheckPhrase } from './fold/effects.ts';
import { stateInRepository } from './outcomes/readings.ts';
import type { WorkOutcome } from './outcomes/work-outcome.ts';
import type { Reading } from './signals/signal.ts';
import { outcomeOfVerification, type Verification } from './verify/verification.ts';

/** `no`: not verified. `failed`: a check failed, it was reverted, or someone rejected it. */
export const VERIFIED = ['yes', 'no', 'failed'] as const;
export type Verified = (typeof VERIFIED)[number];

type Known = {
  /** From a join file: the outcome of the session, 0–1. */
  readonly outcome: number | undefined;
  readonly work: WorkOutcome | undefined;
  readonly verification?: Verification | undefined;
  /** The reading of the acceptance signal. */
  readonly acceptance: Reading | undefined;
};

/** Later evidence takes precedence over the transcript. */
export function verifiedOf(run: AgentRunFacts, { outcome, work, verification, acceptance }: Known): Verified {
  if (outcome !== undefined) return outcome >= 0.5 ? 'yes' : 'failed';
  const verified = inRepository(run, work, verification) ?? inTranscript(run, acceptance);
  if (verified === undefined) return 'no';
  return verified ? 'yes' : 'failed';
}

/** Of a session: one failed run makes it failed, and half of the runs must be verified. */
export function verifiedInAll(runs: readonly { readonly verified: Verified }[]): Verified {
  if (runs.some(({ verified }) => verified === 'failed')) return 'failed';
  const yes = runs.filter(({ verified }) => verified === 'yes').length;
  return yes > 0 && yes * 2 >= runs.length ? 'yes' : 'no';
}

/** The project's own check passes, or most of the work is on the default branch, or it was reverted. */
function inRepository(
  run: AgentRunFacts,
  work: WorkOutcome | undefined,
  verification: Verification | undefined,
): boolean | undefined {
  const state = stateInRepository(run, work, verification);
  if (!state?.measured) return undefined;
  const checked = outcomeOfVerification(verification);
  if (checked !== undefined) return checked === 0.5 ? undefined : checked === 1;
  if (work === undefined) return undefined;
  if (work.reverted) return false;
  return work.state === 'on-default' && state.value >= 0.5 ? true : undefined;
}

function inTranscript(run: AgentRunFacts, acceptance: Reading | undefined): boolean | undefined {
  if (run.stateChange?.what === 'pull request merged') return true;
  const seen = [lastCheck(run), wasAccepted(run, acceptance)];
  return seen.includes(false) ? false : seen.find((one) => one);
}

/** A check that a sub-agent reports is only a claim. */
function lastCheck({ work, stateChange }: AgentRunFacts): boolean | undefined {
  if (work?.check !== undefined) return work.check.kind === 'report' ? undefined : work.check.passed;
  if (stateChange === undefined || !isCheckPhrase(stateChange.what)) return undefined;
  return stateChange.value >= 0.5;
}

/** Work that was corrected and then accepted is accepted. Thanks before the last change accept nothing. */
function wasAccepted({ acceptance }: AgentRunFacts, reading: Reading | undefined): boolean | undefined {
  if (acceptance === undefined || !reading?.measured) return undefined;
  if (acceptance.value < 0.5) return false;
  return reading.value > 0.5 ? true : undefined;
}
