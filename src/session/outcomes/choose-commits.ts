/** Which commits hold the work of a session, and what says so. */
import type { WrittenFacts } from '../evidence.ts';
import { type FoundLine, SLACK_MS } from './found-line.ts';
import { type Commit, groupOf, type History } from './history.ts';
import type { FactsOfWork } from './work-facts.ts';
import type { CommitEvidence } from './work-outcome.ts';

/** A commit that was moved keeps the time of its first making, which is when git told of it. */
const SAME_COMMIT_MS = 10 * 60_000;
/**
 * One line that is unlikely to be written twice by chance is enough where the session wrote few; of many, one may well be
 * written again by somebody else, and two are asked for.
 */
const LEAST_EVIDENCE = 0.5;
const LEAST_SHARE = 0.05;
const ENOUGH_EVIDENCE = 2;

/** Commits by group, with what speaks for each. */
export type ChosenCommits = ReadonlyMap<string, CommitEvidence>;

export function chooseCommits(
  { sessionId, written }: FactsOfWork,
  found: readonly FoundLine[],
  history: History,
): ChosenCommits {
  const chosen = new Map<string, CommitEvidence>();
  const weights = new Map<string, number>();
  for (const { commit, hash } of found) {
    if (commit === undefined) continue;
    const group = groupOf(commit);
    weights.set(group, (weights.get(group) ?? 0) + (history.weights.get(hash) ?? 0));
  }
  const least = leastEvidence(found);
  for (const [group, weight] of weights) if (weight >= least) chosen.set(group, 'written lines');
  for (const commit of toldCommits(written, history)) {
    // A merge in which it settled nothing itself holds the work of others.
    if (commit.parents < 2 || weights.has(groupOf(commit)) || settledSomething(commit, written, history))
      chosen.set(groupOf(commit), "git's own output");
  }
  for (const commit of history.commits) {
    const named = history.attributions.get(commit.sha)?.find((one) => one.sessionId === sessionId);
    if (named !== undefined) chosen.set(groupOf(commit), named.by);
  }
  return chosen;
}

function leastEvidence(found: readonly FoundLine[]): number {
  const lines = found.filter(({ kind }) => kind !== 'left').length;
  return Math.min(ENOUGH_EVIDENCE, Math.max(LEAST_EVIDENCE, LEAST_SHARE * lines));
}

/** The commits that the session saw itself make: by their names, or where those have changed by what stays. */
export function toldCommits(written: WrittenFacts | undefined, history: History): Commit[] {
  return (written?.commits ?? []).flatMap(({ sha, subject, at }) => {
    const same = history.commits.find((commit) => commit.sha.startsWith(sha));
    const moved = (commit: Commit): boolean =>
      commit.subject === subject && at !== undefined && Math.abs(commit.authoredAt - at) < SAME_COMMIT_MS;
    return same ?? history.commits.find(moved) ?? [];
  });
}

/** It wrote a file that is not in the merge as any of those had it that were merged. */
function settledSomething({ sha, at }: Commit, written: WrittenFacts | undefined, history: History): boolean {
  const settled = history.settled.get(sha);
  if (settled === undefined || written === undefined) return false;
  return written.files.some(({ ends, firstAt }) => {
    const file = history.fileOf(ends);
    return file !== undefined && settled.has(file) && firstAt !== undefined && firstAt <= at + SLACK_MS;
  });
}
