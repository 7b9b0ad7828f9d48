/** Compares one session's lines with the history of its repository. Pure. */
import type { WrittenFacts } from '../evidence.ts';
import { type ChosenCommits, chooseCommits } from './choose-commits.ts';
import { groupOf, type History, isNamedIn } from './history.ts';
import { type FoundLine, mainEvents, NO_FILE, shareLeft, startOf, survivalOf } from './lines-in-history.ts';
import {
  type CommitEvidence,
  type FactsOfWork,
  linesFromTranscript,
  type WorkOutcome,
} from './work-outcome.ts';

/** Uncommitted work counts as not taken once the project has gone on for this long. */
const SETTLED_AFTER_MS = 7 * 86_400_000;

type Place = {
  readonly repository: History;
  readonly isOwn: boolean;
  /** All its new lines, and those that no other session took over. */
  readonly found: readonly FoundLine[];
  readonly credited: readonly FoundLine[];
};

export function judgeSession(facts: FactsOfWork, place: Place): WorkOutcome {
  const { sessionId, written } = facts;
  const { repository: history, found, credited } = place;
  const about = {
    sessionId,
    repository: history.repository,
    defaultBranch: history.defaultBranch,
    head: history.head,
    knownUntil: history.until,
  };
  if (written === undefined)
    return { ...about, linesWritten: 0, ...nothing('nothing-written', 'it wrote no lines') };
  if (!hasTimes(facts, written))
    return {
      ...about,
      ...linesFromTranscript(facts),
      ...nothing('unknown', 'the session records no times'),
    };
  const { chosen, isDoubtful } = chooseCommits(facts, credited, history);
  const counts = countLines(found, credited, chosen, history, written.oneIn);
  const commits = listCommits(chosen, history);
  const reached =
    counts.linesOnDefault > 0 || credited.some((line) => isTakenOutOnDefault(line, chosen, history));
  const onDefault = reached || commits.some(({ sha }) => history.onDefault.has(sha));
  const reverted = isReverted(namesOf(commits, credited, chosen, history), history, onDefault);
  const base = { ...about, ...counts, commits, reverted };
  if (chosen.size === 0) return { ...base, ...uncommitted(facts, written, place, isDoubtful) };
  return {
    ...base,
    ...sharesOf(credited, chosen, history),
    state: onDefault ? 'on-default' : 'committed',
    survival: survivalOf(ownLines(credited, chosen), history, onDefault),
  };
}

const UNMEASURED_SURVIVAL = { 1: { reason: '' }, 7: { reason: '' }, 30: { reason: '' } } as const;

function unmeasuredSurvival(reason: string): WorkOutcome['survival'] {
  return { ...UNMEASURED_SURVIVAL, 1: { reason }, 7: { reason }, 30: { reason } };
}

/** A row with only its state. */
export function nothing(
  state: WorkOutcome['state'],
  reason: string,
): Pick<WorkOutcome, 'state' | 'reason' | 'survival' | 'commits' | 'reverted'> {
  return { state, reason, survival: unmeasuredSurvival(reason), commits: [], reverted: false };
}

function hasTimes(facts: FactsOfWork, { files, commits }: WrittenFacts): boolean {
  return (
    startOf(facts) !== undefined ||
    [...files.map(({ firstAt }) => firstAt), ...commits.map(({ at }) => at)].some((at) => at !== undefined)
  );
}

/** Duplicates of a commit count once; the one on the default branch represents them. */
function listCommits(chosen: ChosenCommits, history: History): WorkOutcome['commits'] {
  const listed = new Map<string, { sha: string; by: CommitEvidence; isOnDefault: boolean }>();
  for (const commit of history.commits) {
    const group = groupOf(commit);
    const by = chosen.get(group);
    const isOnDefault = history.onDefault.has(commit.sha);
    const known = listed.get(group);
    if (by !== undefined && (known === undefined || (isOnDefault && !known.isOnDefault)))
      listed.set(group, { sha: commit.sha, by, isOnDefault });
  }
  return [...listed.values()].map(({ sha, by }) => ({ sha, by }));
}

const isChosen = ({ commit }: FoundLine, chosen: ChosenCommits): boolean =>
  commit !== undefined && chosen.has(groupOf(commit));

/** Lines that it wrote and that were committed. */
function ownLines(found: readonly FoundLine[], chosen: ChosenCommits): FoundLine[] {
  return found.filter((line) => line.kind === 'wrote' && isChosen(line, chosen));
}

function countLines(
  found: readonly FoundLine[],
  credited: readonly FoundLine[],
  chosen: ChosenCommits,
  history: History,
  oneIn: number,
) {
  const own = ownLines(credited, chosen);
  return {
    linesWritten: found.filter(({ kind }) => kind === 'wrote').length * oneIn,
    linesCommitted: own.length * oneIn,
    ...shareLeft(own, history, oneIn),
  };
}

/** Counts written lines only: of several equal lines, a diff shows an arbitrary one as removed. */
function sharesOf(
  credited: readonly FoundLine[],
  chosen: ChosenCommits,
  history: History,
): Pick<WorkOutcome, 'shares'> {
  const wrote = credited.filter(({ kind }) => kind === 'wrote').length;
  const own = ownLines(credited, chosen);
  // Its commits are known by other evidence, and contain no recorded line.
  if (own.length === 0) return {};
  const { linesOnDefault } = shareLeft(own, history, 1);
  return { shares: { committed: own.length / wrote, onDefault: linesOnDefault / wrote } };
}

function isTakenOutOnDefault(line: FoundLine, chosen: ChosenCommits, history: History): boolean {
  if (line.kind !== 'removed' || !isChosen(line, chosen)) return false;
  return mainEvents(line, history).some(({ came }) => !came);
}

/** Its commits with their duplicates, and the commits that brought its lines into the default branch. */
function namesOf(
  commits: WorkOutcome['commits'],
  found: readonly FoundLine[],
  chosen: ChosenCommits,
  history: History,
): ReadonlySet<string> {
  if (history.reverted.size + history.revertedElsewhere.size === 0 || commits.length === 0) return new Set();
  const brought = ownLines(found, chosen).flatMap(
    (line) => mainEvents(line, history).find(({ came }) => came)?.commit.sha ?? [],
  );
  const copies = history.commits.filter((commit) => chosen.has(groupOf(commit))).map(({ sha }) => sha);
  return new Set([...copies, ...brought]);
}

/** Work on the default branch is reverted there, not by a revert on another branch. */
function isReverted(names: ReadonlySet<string>, history: History, onDefault: boolean): boolean {
  return [...names].some(
    (name) => isNamedIn(history.reverted, name) || (!onDefault && isNamedIn(history.revertedElsewhere, name)),
  );
}

function uncommitted(
  facts: FactsOfWork,
  { files }: WrittenFacts,
  { repository: history, isOwn, found, credited }: Place,
  isDoubtful: boolean,
): Pick<WorkOutcome, 'state' | 'reason' | 'from' | 'survival'> {
  const outcomeOf = (state: WorkOutcome['state'], reason: string, from?: number) => ({
    state,
    reason,
    from,
    survival: unmeasuredSurvival(reason),
  });
  if (!found.some(({ kind }) => kind !== 'left')) {
    const ignored = files.some(({ ends }) => history.fileOf(ends) === undefined && history.isIgnored(ends));
    return ignored
      ? outcomeOf('nothing-written', 'the repository leaves out the files it wrote')
      : outcomeOf('nothing-written', 'it wrote no line in the repository that was not there before');
  }
  if (!credited.some(({ kind }) => kind !== 'left'))
    return outcomeOf('unknown', 'another session wrote the same lines after it, before they were committed');
  if (facts.discarded === true) return outcomeOf('nothing-written', 'it discarded what it had written');
  if (isDoubtful)
    return outcomeOf(
      'unknown',
      'commits contain some of its lines, but there is no evidence that they are its work',
    );
  if (!isOwn && found.every(({ file }) => file === NO_FILE))
    return outcomeOf('unknown', 'none of the files it wrote is in the history of the repository');
  const last = files.reduce((most, { lastAt }) => Math.max(most, lastAt ?? 0), startOf(facts) ?? 0);
  if (history.until < last + SETTLED_AFTER_MS) {
    const from = last + SETTLED_AFTER_MS;
    return outcomeOf(
      'too-young',
      'its lines are not committed, and the history ends too soon after it',
      from,
    );
  }
  return outcomeOf('not-committed', 'its lines were not committed, although the project went on');
}
