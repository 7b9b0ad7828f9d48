/** Repositories that should have said what became of the work, and could not. That a folder is gone is no trouble. */
import type { SessionOverview } from '../results.ts';
import type { WorkOutcome } from './work-outcome.ts';

/** How the reasons of `findRepository` and `judgeWork` begin where there is something to mend. */
const TROUBLE = /^the repository (?:could not be read|that was named)/;

export function repositoryTrouble(
  work: ReadonlyMap<string, WorkOutcome> | undefined,
): Pick<SessionOverview, 'repositoryTrouble'> {
  const reasons = new Map<string, number>();
  for (const { state, reason = '' } of work?.values() ?? []) {
    if (state === 'unknown' && TROUBLE.test(reason)) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const [most] = [...reasons].sort((a, b) => b[1] - a[1]);
  if (most === undefined) return {};
  const sessions = [...reasons.values()].reduce((sum, one) => sum + one, 0);
  return { repositoryTrouble: { sessions, reason: most[0] } };
}
