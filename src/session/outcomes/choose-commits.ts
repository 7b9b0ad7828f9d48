/** Which commits contain the work of a session, and by what evidence. */
import type { WrittenFacts } from '../evidence.ts';
import { type GitOptions, gitText, PLAIN_LOG } from './git.ts';
import { type Attribution, type Commit, groupOf, type History } from './history.ts';
import { type FoundLine, SLACK_MS } from './lines-in-history.ts';
import { NOTES_REF, type Repository } from './repository.ts';
import type { CommitEvidence, FactsOfWork } from './work-outcome.ts';

/** A rebased commit keeps its author time, which is the time when git printed it. */
const SAME_COMMIT_MS = 10 * 60_000;
/**
 * For a session with few lines, one distinctive line is enough. Of many lines, someone else may well have written one
 * again, so two are required.
 */
const LEAST_EVIDENCE = 0.8;
const LEAST_SHARE = 0.05;
const ENOUGH_EVIDENCE = 2;
/**
 * Most users commit at once. Later, a few of its lines may come with the work of others, so a commit must contain most
 * of the remaining lines.
 */
const AT_ONCE_MS = 60 * 60_000;
const MOST = 2 / 3;

/** Commits by group, with their evidence. */
export type ChosenCommits = ReadonlyMap<string, CommitEvidence>;

export function chooseCommits(
  facts: FactsOfWork,
  found: readonly FoundLine[],
  history: History,
): { readonly chosen: ChosenCommits; readonly isDoubtful: boolean } {
  const { sessionId, written } = facts;
  const chosen = new Map<string, CommitEvidence>();
  const weights = weighCommits(found, history);
  const least = leastEvidence(found);
  const candidates = [...weights].filter(([, { weight }]) => weight >= least);
  for (const [group, { commit }] of candidates.toSorted(([, a], [, b]) => a.commit.at - b.commit.at)) {
    const left = found.filter((line) => line.commit === undefined || !chosen.has(groupOf(line.commit)));
    if (mayBeOf(facts, commit, left, history)) chosen.set(group, 'written lines');
  }
  const isDoubtful = candidates.some(([group]) => !chosen.has(group));
  for (const commit of commitsInTranscript(written, history)) {
    // A merge without conflicts that the session resolved contains the work of others.
    if (commit.parents < 2 || weights.has(groupOf(commit)) || resolvedConflicts(commit, written, history))
      chosen.set(groupOf(commit), "git's own output");
  }
  for (const commit of history.commits) {
    const named = history.attributions.get(commit.sha)?.find((one) => one.sessionId === sessionId);
    if (named !== undefined) chosen.set(groupOf(commit), named.by);
  }
  return { chosen, isDoubtful };
}

type Weighed = { readonly commit: Commit; weight: number };

function weighCommits(found: readonly FoundLine[], history: History): Map<string, Weighed> {
  const weights = new Map<string, Weighed>();
  for (const { commit, hash } of found) {
    if (commit === undefined) continue;
    const known = weights.get(groupOf(commit)) ?? { commit, weight: 0 };
    known.weight += history.weights.get(hash) ?? 0;
    weights.set(groupOf(commit), known);
  }
  return weights;
}

/**
 * Commits authored before a session began are not its work. If it discarded its work, someone else brought that back.
 */
function mayBeOf(
  facts: FactsOfWork,
  commit: Commit,
  left: readonly FoundLine[],
  { lines }: History,
): boolean {
  const from = facts.runs.reduce((least, { startedAt = 0 }) => Math.min(least, startedAt), Infinity);
  if (facts.discarded === true || (from !== Infinity && commit.authoredAt < from - SLACK_MS)) return false;
  const until = (facts.written?.files ?? []).reduce((last, { lastAt = 0 }) => Math.max(last, lastAt), 0);
  if (commit.authoredAt <= (facts.endedAt ?? until) + AT_ONCE_MS) return true;
  const group = groupOf(commit);
  const isIn = ({ file, hash, kind }: FoundLine): boolean =>
    (lines.get(file)?.get(hash) ?? []).some(
      (event) => event.came === (kind !== 'removed') && groupOf(event.commit) === group,
    );
  return left.filter(isIn).length >= MOST * left.length;
}

function leastEvidence(found: readonly FoundLine[]): number {
  const lines = found.filter(({ kind }) => kind !== 'left').length;
  return Math.min(ENOUGH_EVIDENCE, Math.max(LEAST_EVIDENCE, LEAST_SHARE * lines));
}

/** The commits that the transcript shows being made, by hash, or by time and subject where the hash has changed. */
export function commitsInTranscript(written: WrittenFacts | undefined, history: History): Commit[] {
  return (written?.commits ?? []).flatMap(({ sha, subject, at }) => {
    const same = history.commits.find((commit) => commit.sha.startsWith(sha));
    const moved = (commit: Commit): boolean =>
      commit.subject === subject && at !== undefined && Math.abs(commit.authoredAt - at) < SAME_COMMIT_MS;
    return same ?? history.commits.find(moved) ?? [];
  });
}

/** It wrote a file whose merged version differs from that of every parent. */
function resolvedConflicts(
  { sha, at }: Commit,
  written: WrittenFacts | undefined,
  history: History,
): boolean {
  const settled = history.settled.get(sha);
  if (settled === undefined || written === undefined) return false;
  return written.files.some(({ ends, firstAt }) => {
    const file = history.fileOf(ends);
    return file !== undefined && settled.has(file) && firstAt !== undefined && firstAt <= at + SLACK_MS;
  });
}

// What tools recorded when the commit was made: Git AI notes, and trailers that name a session.

/** Shorter ids could occur in a message by chance. */
const LEAST_ID = 12;

export async function readAttributions(
  git: GitOptions,
  { tips, hasNotes }: Repository,
  since: number,
  sessionIds: ReadonlySet<string>,
): Promise<Map<string, Attribution[]>> {
  const found = new Map<string, Attribution[]>();
  const ids = [...sessionIds].filter((id) => id.length >= LEAST_ID);
  if (ids.length === 0) return found;
  const note = (sha: string, one: Attribution): void => {
    found.set(sha, [...(found.get(sha) ?? []), one]);
  };
  const from = `--since=${new Date(since).toISOString()}`;
  const known = new Set(ids);
  const log = (...args: string[]) =>
    gitText(git, ['log', '--stdin', ...PLAIN_LOG, from, ...args], tips.join('\n'));
  const trailers = await log('--format=%x01%H%x00%(trailers:only,unfold)');
  for (const [sha, text] of records(trailers)) {
    for (const id of namedIn(text, known)) note(sha, { sessionId: id, by: 'commit trailer' });
  }
  if (!hasNotes) return found;
  const notes = await log(`--notes=${NOTES_REF}`, '--format=%x01%H%x00%N');
  for (const [sha, text] of records(notes)) {
    for (const id of agentsIn(text, known)) note(sha, { sessionId: id, by: 'git-ai note' });
  }
  return found;
}

function records(text: string): [sha: string, text: string][] {
  return text
    .split('\u0001')
    .slice(1)
    .map((one) => {
      const at = one.indexOf('\0');
      return [one.slice(0, at), one.slice(at + 1)];
    });
}

/** Values of trailers, whole or as the end of an address. */
function namedIn(text: string, known: ReadonlySet<string>): string[] {
  const words = text
    .split('\n')
    .flatMap((line) => line.slice(line.indexOf(':') + 1).split(/[\s/,;=#?<>()]+/));
  return [...new Set(words)].filter((word) => known.has(word));
}

/** JSON follows a line `---`: per prompt or session, the agent with its own id. */
function agentsIn(text: string, known: ReadonlySet<string>): string[] {
  const at = text.indexOf('\n---\n');
  const json = at < 0 ? text.replace(/^---\n/, '') : text.slice(at + 5);
  try {
    const { prompts, sessions } = JSON.parse(json) as Record<string, unknown>;
    const ids = [prompts, sessions].flatMap((list) => Object.values(list ?? {}).map(agentId));
    return [...new Set(ids)].flatMap((id) => (id !== undefined && known.has(id) ? [id] : []));
  } catch {
    return [];
  }
}

function agentId(record: unknown): string | undefined {
  const id = (record as { agent_id?: { id?: unknown } } | null)?.agent_id?.id;
  return typeof id === 'string' ? id : undefined;
}
