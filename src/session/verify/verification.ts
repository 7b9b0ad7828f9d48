/** The result of the project's own check for the work of a session: run before its commits and after them. */
import type { WorkOutcome } from '../outcomes/work-outcome.ts';

export const VERIFY_RESULTS = ['fixed', 'kept green', 'broke', 'still red', 'could not check'] as const;
export type VerifyResult = (typeof VERIFY_RESULTS)[number];

export type Verification = {
  readonly result: VerifyResult;
  /** Why it could not be checked, or a caveat. */
  readonly reason?: string;
  readonly command: string;
  /** The last commit of the session, and the parent of the first. */
  readonly commit?: string;
  readonly parent?: string;
  readonly at: string;
};

/** How often a check passed and failed on one tree. */
export type CheckCounts = { readonly passed: number; readonly failed: number };

/** `missing`: the check needs something that does not exist here; `stopped`: it timed out or did not start. */
export type CheckSeen = CheckCounts | { readonly impossible: string; readonly kind: 'missing' | 'stopped' };

/** Compares the same check on the trees before and after. */
export function resultOf(before: CheckSeen, after: CheckSeen): Pick<Verification, 'result' | 'reason'> {
  // If the check ran on one side, anything missing on the other is missing because of the work.
  const [was, is] = [sideOf(before, after), sideOf(after, before)];
  if ('reason' in is) return { result: 'could not check', reason: `at its commit ${is.reason}` };
  if ('reason' in was) {
    const passes = is.green ? 'the check passes at its commit; before it ' : 'before its commit ';
    return { result: 'could not check', reason: `${passes}${was.reason}` };
  }
  if (was.green) return { result: is.green ? 'kept green' : 'broke' };
  return { result: is.green ? 'fixed' : 'still red' };
}

function sideOf(
  seen: CheckSeen,
  other: CheckSeen,
): { readonly green: boolean } | { readonly reason: string } {
  if ('impossible' in seen) {
    const ranElsewhere = !('impossible' in other) && other.passed > 0 && other.failed === 0;
    return seen.kind === 'missing' && ranElsewhere && seen.impossible !== NOTHING_RAN
      ? { green: false }
      : { reason: seen.impossible };
  }
  const { passed, failed } = seen;
  if (passed > 0 && failed > 0)
    return { reason: `the check is flaky: it passed ${passed} of ${passed + failed} runs` };
  return { green: passed > 0 };
}

export const NOTHING_RAN = 'there was nothing to check';

/** The value for the session: 1, 0, 0.5 when a failing check proves neither; undefined when it proves nothing. */
export function outcomeOfVerification(one: Verification | undefined): number | undefined {
  if (one === undefined || one.result === 'could not check') return undefined;
  if (one.result === 'still red') return 0.5;
  return one.result === 'broke' ? 0 : 1;
}

/** Undefined when its commits have changed since. */
export function currentVerification(
  one: Verification | undefined,
  work: WorkOutcome | undefined,
): Verification | undefined {
  const isOther = work !== undefined && work.commits.length > 0 && !hasCommit(work, one?.commit);
  return isOther ? undefined : one;
}

function hasCommit({ commits }: WorkOutcome, commit: string | undefined): boolean {
  return commits.some(({ sha }) => sha === commit);
}
