/** One session's lines against the history of its repository. Pure, and on its own: other sessions change nothing. */
import type { FileWork, SessionFacts, WrittenFacts } from '../evidence.ts';
import { unpackHashes } from '../fold/line-hash.ts';
import { type FoundLine, mainEvents, SLACK_MS } from './found-line.ts';
import { type Commit, groupOf, type History } from './history.ts';
import { shareLeft, survivalOf } from './survival.ts';
import type { CommitEvidence, WorkOutcome } from './work-outcome.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Lines that are committed later than this after they were written may be somebody else's. */
const COMMITTED_WITHIN_MS = 30 * DAY_MS;
/** A commit that was moved keeps the time of its first making, which is when git told of it. */
const SAME_COMMIT_MS = 10 * MINUTE_MS;
/** Work that is not committed when the project has gone on for so long was not taken. */
const TOLD_AFTER_MS = 7 * DAY_MS;
/**
 * One line that is unlikely to be written twice by chance is enough where the session wrote few; of many, one may well be
 * written again by somebody else, and two are asked for.
 */
const LEAST_EVIDENCE = 0.5;
const LEAST_SHARE = 0.05;
const ENOUGH_EVIDENCE = 2;

type Place = { readonly repository: History; readonly isOwn: boolean };

export function judgeSession(facts: SessionFacts, { repository: history, isOwn }: Place): WorkOutcome {
  const { sessionId, written } = facts;
  const about = {
    sessionId,
    repository: history.repository,
    defaultBranch: history.defaultBranch,
    head: history.head,
    knownUntil: history.until,
  };
  if (written !== undefined && !hasTimes(facts, written))
    return { ...about, ...nothing('unknown', 'it does not say when it wrote') };
  if (written === undefined) return { ...about, ...nothing('nothing-written', 'it wrote no lines') };
  const found = compare(facts, written, history);
  const chosen = chooseCommits(facts, written, found, history);
  const counts = countLines(found, chosen, history, written.oneIn);
  const commits = listCommits(chosen, history);
  const base = { ...about, ...counts, commits, reverted: isReverted(commits, found, chosen, history) };
  if (chosen.size === 0) return { ...base, ...uncommitted(facts, written, found, history, isOwn) };
  const reached =
    counts.linesOnDefault > 0 || found.some((line) => isTakenOutOnDefault(line, chosen, history));
  const onDefault = reached || commits.some(({ sha }) => history.onDefault.has(sha));
  return {
    ...base,
    state: onDefault ? 'on-default' : 'committed',
    survival: survivalOf(ownLines(found, chosen), history, onDefault),
  };
}

const UNTOLD = { 1: { reason: '' }, 7: { reason: '' }, 30: { reason: '' } } as const;

function untold(reason: string): WorkOutcome['survival'] {
  return { ...UNTOLD, 1: { reason }, 7: { reason }, 30: { reason } };
}

/** A row about which nothing more is known than its state. */
export function nothing(
  state: WorkOutcome['state'],
  reason: string,
): Pick<WorkOutcome, 'state' | 'reason' | 'survival' | 'commits' | 'reverted'> {
  return { state, reason, survival: untold(reason), commits: [], reverted: false };
}

function compare(facts: SessionFacts, { files }: WrittenFacts, history: History): FoundLine[] {
  return files.flatMap((file) => {
    const id = history.fileOf(file.ends);
    const since = file.firstAt ?? startOf(facts);
    if (since === undefined) return [];
    if (id === undefined) return file.inside ? unknownLines(file, since) : [];
    return (['wrote', 'removed', 'left'] as const).flatMap((kind) =>
      unpackHashes(file[kind]).flatMap((hash) => foundLine(kind, file, id, hash, since, history)),
    );
  });
}

const NO_FILE = -1;

/** Of a file that the repository has never had. */
function unknownLines({ wrote }: FileWork, since: number): FoundLine[] {
  return unpackHashes(wrote).map((hash) => ({
    kind: 'wrote',
    file: NO_FILE,
    hash,
    since,
    commit: undefined,
  }));
}

function foundLine(
  kind: FoundLine['kind'],
  { lastAt }: FileWork,
  file: number,
  hash: number,
  since: number,
  history: History,
): FoundLine[] {
  const events = history.lines.get(file)?.get(hash) ?? [];
  const comes = kind !== 'removed';
  const before = events.findLast(({ commit }) => commit.at < since - SLACK_MS);
  const wasThere = before === undefined ? (history.base.get(file)?.has(hash) ?? false) : before.came;
  // A line that was there before is not its work, whoever writes it again.
  if (comes && wasThere) return [];
  const until = (lastAt ?? since) + COMMITTED_WITHIN_MS;
  const first = events.find(
    ({ commit, came }) => came === comes && commit.at >= since - SLACK_MS && commit.at <= until,
  );
  return [{ kind, file, hash, since, commit: first?.commit }];
}

function hasTimes(facts: SessionFacts, { files, commits }: WrittenFacts): boolean {
  return (
    startOf(facts) !== undefined ||
    [...files.map(({ firstAt }) => firstAt), ...commits.map(({ at }) => at)].some((at) => at !== undefined)
  );
}

function startOf({ runs }: SessionFacts): number | undefined {
  return runs.find(({ startedAt }) => startedAt !== undefined)?.startedAt;
}

/** Commits by group, with what speaks for each. */
type Chosen = ReadonlyMap<string, CommitEvidence>;

function chooseCommits(
  { sessionId }: SessionFacts,
  written: WrittenFacts,
  found: readonly FoundLine[],
  history: History,
): Chosen {
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
    // A merge that settled nothing itself holds the work of others.
    if (commit.parents < 2 || weights.has(groupOf(commit))) chosen.set(groupOf(commit), "git's own output");
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
function toldCommits({ commits }: WrittenFacts, history: History): Commit[] {
  return commits.flatMap(({ sha, subject, at }) => {
    const same = history.commits.find((commit) => commit.sha.startsWith(sha));
    const moved = (commit: Commit): boolean =>
      commit.subject === subject && at !== undefined && Math.abs(commit.authoredAt - at) < SAME_COMMIT_MS;
    return same ?? history.commits.find(moved) ?? [];
  });
}

/** All copies of a commit are one; the one on the default branch stands for them. */
function listCommits(chosen: Chosen, history: History): WorkOutcome['commits'] {
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

const isChosen = ({ commit }: FoundLine, chosen: Chosen): boolean =>
  commit !== undefined && chosen.has(groupOf(commit));

/** What it wrote and was committed. */
function ownLines(found: readonly FoundLine[], chosen: Chosen): FoundLine[] {
  return found.filter((line) => line.kind === 'wrote' && isChosen(line, chosen));
}

function countLines(found: readonly FoundLine[], chosen: Chosen, history: History, oneIn: number) {
  const own = ownLines(found, chosen);
  return {
    linesWritten: found.filter(({ kind }) => kind === 'wrote').length * oneIn,
    linesCommitted: own.length * oneIn,
    ...shareLeft(own, history, oneIn),
  };
}

function isTakenOutOnDefault(line: FoundLine, chosen: Chosen, history: History): boolean {
  if (line.kind !== 'removed' || !isChosen(line, chosen)) return false;
  return mainEvents(line, history).some(({ came }) => !came);
}

/** One of its commits, or the one that brought its lines into the default branch, was taken back. */
function isReverted(
  commits: WorkOutcome['commits'],
  found: readonly FoundLine[],
  chosen: Chosen,
  history: History,
): boolean {
  if (history.reverted.size === 0 || commits.length === 0) return false;
  const brought = ownLines(found, chosen).flatMap(
    (line) => mainEvents(line, history).find(({ came }) => came)?.commit.sha ?? [],
  );
  const copies = history.commits.filter((commit) => chosen.has(groupOf(commit))).map(({ sha }) => sha);
  const names = [...new Set([...copies, ...brought])];
  return [...history.reverted].some((sha) => names.some((name) => name.startsWith(sha)));
}

function uncommitted(
  facts: SessionFacts,
  { files }: WrittenFacts,
  found: readonly FoundLine[],
  history: History,
  isOwn: boolean,
): Pick<WorkOutcome, 'state' | 'reason' | 'from' | 'survival'> {
  const told = (state: WorkOutcome['state'], reason: string, from?: number) => ({
    state,
    reason,
    ...(from !== undefined && { from }),
    survival: untold(reason),
  });
  if (!found.some(({ kind }) => kind !== 'left')) {
    return told('nothing-written', 'it wrote no line in the repository that was not there before');
  }
  if (!isOwn && found.every(({ file }) => file === NO_FILE))
    return told('unknown', 'none of the files it wrote is in the history of the repository');
  const last = files.reduce((most, { lastAt }) => Math.max(most, lastAt ?? 0), startOf(facts) ?? 0);
  if (history.until < last + TOLD_AFTER_MS) {
    const from = last + TOLD_AFTER_MS;
    return told('too-young', 'its lines are not committed, and the history ends too soon after it', from);
  }
  return told('not-committed', 'its lines were not committed, although the project went on');
}
