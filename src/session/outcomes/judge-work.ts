/** The outcome of the work of many sessions. Each repository is read once for all its sessions. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionFacts } from '../evidence.ts';
import { unpackHashes } from '../fold/line-fingerprints.ts';
import {
  type FoundRepository,
  findRepository,
  isBelow,
  NOT_ALLOWED,
  type RepositoryRules,
  realPathOf,
} from './find-repository.ts';
import { type GitOptions, GitProblem, TOO_LONG } from './git.ts';
import type { History } from './history.ts';
import { judgeSession, nothing } from './judge-session.ts';
import { findLines, startOf } from './lines-in-history.ts';
import { readHistory } from './read-history.ts';
import type { LostFile } from './read-patches.ts';
import { openRepository, type Repository } from './repository.ts';
import { creditLast, linesOf } from './taken-over.ts';
import { type FactsOfWork, linesFromTranscript, type WorkOutcome, workFactsOf } from './work-outcome.ts';

export type JudgeOptions = RepositoryRules & {
  readonly environment: GitOptions['environment'];
  readonly signal?: AbortSignal | undefined;
  /** Time limit per repository, in milliseconds. */
  readonly timeMs?: number;
  /** False: notes and trailers are ignored. */
  readonly attributions?: boolean;
  readonly onRepository?: ((done: number, of: number) => void) | undefined;
};

/** Far more than a usual repository takes, and short enough to wait for. */
const TIME_MS = 60_000;

/** One repository that runs into the time limit may be slow. After the second, the remaining ones are skipped. */
const MAX_TIMEOUTS = 2;
const SKIPPED = 'the repository was skipped: two others timed out';

/** A session with its unique key. */
export type KnownSession = { readonly key: string; readonly facts: SessionFacts };

type Found = {
  readonly key: string;
  readonly facts: FactsOfWork;
  readonly isOwn: boolean;
  readonly within?: readonly string[] | undefined;
};

/** Key of a session → the outcome of its work; every session has a row. */
export async function judgeWork(
  sessions: Iterable<KnownSession>,
  options: JudgeOptions,
): Promise<Map<string, WorkOutcome>> {
  const rows = new Map<string, WorkOutcome>();
  const byFolder = new Map<string, Found[]>();
  const places = new Map<string, Place>();
  for (const { key, facts } of sessions) {
    const { project, sent, written } = facts;
    const about = JSON.stringify([project, sent]);
    const found = places.get(about) ?? placeOf(facts, options);
    places.set(about, found);
    const { place } = found;
    rows.set(key, rowWithout(facts, found));
    if (!('reason' in place) && written !== undefined) {
      const list = byFolder.get(place.folder) ?? [];
      byFolder.set(place.folder, list);
      list.push({ key, facts: workFactsOf(facts), isOwn: place.isOwn, within: place.within });
    }
  }
  let [done, hung] = [0, 0];
  for (const [folder, found] of byFolder) {
    const start = performance.now();
    const judged =
      hung < MAX_TIMEOUTS
        ? await judgeRepository(folder, found, options)
        : unknownRows(folder, found, SKIPPED);
    if (performance.now() - start >= (options.timeMs ?? TIME_MS)) hung += 1;
    for (const [key, row] of judged) rows.set(key, row);
    done += 1;
    options.onRepository?.(done, byFolder.size);
  }
  return rows;
}

/** The shared parts of the rows of one place, built once because there may be very many sessions. */
type Place = {
  readonly place: FoundRepository;
  readonly none: ReturnType<typeof nothing>;
};

function placeOf({ project, sent }: SessionFacts, rules: RepositoryRules): Place {
  const place = findRepository({ project, sent }, rules);
  const isUnknown = 'reason' in place;
  return {
    place,
    none: isUnknown ? nothing('unknown', place.reason) : nothing('nothing-written', 'it wrote no lines'),
  };
}

/** In the order of the sessions; results of repositories replace these rows. */
function rowWithout(facts: SessionFacts, { place, none }: Place): WorkOutcome {
  const { sessionId } = facts;
  if ('reason' in place) return { sessionId, ...linesFromTranscript(facts), ...none };
  return { sessionId, repository: place.folder, linesWritten: 0, ...none };
}

/** Any problem with a repository is reported in its rows and stops nothing else. */
async function judgeRepository(
  folder: string,
  found: readonly Found[],
  options: JudgeOptions,
): Promise<[key: string, row: WorkOutcome][]> {
  const { environment, signal, timeMs = TIME_MS } = options;
  const git = { folder, environment, signal, deadline: performance.now() + timeMs };
  try {
    const repository = await openRepository(git);
    const isSelfContained =
      found.some(({ within }) => within !== undefined) && (await staysInside(repository));
    const { allowed = [], refused = [] } = Object.groupBy(found, ({ within }) =>
      within === undefined ||
      (isSelfContained && realPathOf(repository.place).some((path) => isBelow(path, within)))
        ? 'allowed'
        : 'refused',
    );
    const rows = allowed.length === 0 ? [] : await judgeIn(git, repository, allowed, options);
    return [...rows, ...refused.map(refusedRow)];
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    const reason = `the repository could not be read: ${error.message}`;
    const { sent = [], own = [] } = Object.groupBy(found, ({ within }) =>
      within === undefined ? 'own' : 'sent',
    );
    return [...unknownRows(folder, own, reason), ...sent.map(refusedRow)];
  }
}

/** Links and alternates inside it could make git read someone else's repository. */
async function staysInside({ place }: Repository): Promise<boolean> {
  if (existsSync(join(place, 'objects/info/alternates'))) return false;
  try {
    const entries = await readdir(place, { recursive: true, withFileTypes: true });
    return !entries.some((entry) => entry.isSymbolicLink());
  } catch {
    // An unreadable folder may contain a link.
    return false;
  }
}

function refusedRow({ key, facts }: Found): [key: string, row: WorkOutcome] {
  return [
    key,
    { sessionId: facts.sessionId, ...linesFromTranscript(facts), ...nothing('unknown', NOT_ALLOWED) },
  ];
}

function unknownRows(
  folder: string,
  found: readonly Found[],
  reason: string,
): [key: string, row: WorkOutcome][] {
  return found.map(({ key, facts }) => [
    key,
    {
      sessionId: facts.sessionId,
      repository: folder,
      ...linesFromTranscript(facts),
      ...nothing('unknown', reason),
    },
  ]);
}

/** In start order, so that sessions with the same lines are mostly compared together. */
async function judgeIn(
  git: GitOptions,
  repository: Repository,
  found: readonly Found[],
  { attributions = true }: JudgeOptions,
): Promise<[key: string, row: WorkOutcome][]> {
  const judged: [key: string, row: WorkOutcome][] = [];
  const inOrder = found.toSorted((a, b) => (startOf(a.facts) ?? 0) - (startOf(b.facts) ?? 0));
  for (const some of inPortions(inOrder)) {
    const rows = judgeTogether(some, await historyFor(git, repository, some, attributions), git);
    for (const [i, row] of rows.entries()) judged.push([(some[i] as Found).key, row]);
  }
  return judged;
}

/** Lines searched per pass: more lines mean another pass over the history. */
const LINES_TOGETHER = 400_000;

function* inPortions(found: readonly Found[]): Generator<Found[]> {
  let [some, lines] = [[] as Found[], 0];
  for (const one of found) {
    some.push(one);
    lines += linesFromTranscript(one.facts).linesWritten ?? 0;
    if (lines < LINES_TOGETHER) continue;
    yield some;
    [some, lines] = [[], 0];
  }
  if (some.length > 0) yield some;
}

function judgeTogether(
  sessions: readonly Found[],
  history: History,
  { deadline }: GitOptions,
): WorkOutcome[] {
  const claims = sessions.map(({ facts }) => ({ facts, found: findLines(facts, history) }));
  const credited = creditLast(claims, history);
  return sessions.map(({ facts, isOwn }, i) => {
    // Comparing every session with all commits can take longer than reading them.
    if (performance.now() > deadline) throw new GitProblem(TOO_LONG);
    const [found, own] = [claims[i]?.found ?? [], credited[i] ?? []];
    return judgeSession(facts, { repository: history, isOwn, found, credited: own });
  });
}

function historyFor(
  git: GitOptions,
  repository: Repository,
  sessions: readonly Found[],
  attributions: boolean,
): Promise<History> {
  return readHistory(git, repository, {
    since: earliest(sessions.map(({ facts }) => facts)),
    files: sessions.flatMap(({ facts }) => filesOf(facts)),
    hashes: new Set(sessions.flatMap(({ facts }) => linesOf(facts))),
    sessionIds: new Set(sessions.map(({ facts }) => facts.sessionId)),
    attributions,
  });
}

function filesOf(facts: FactsOfWork): LostFile[] {
  const start = startOf(facts) ?? Date.now();
  return (facts.written?.files ?? []).map(({ ends, salt, inside, wrote, firstAt = start, lastAt }) => ({
    ends,
    salt: salt ?? ends[0] ?? 0,
    inside,
    wrote: unpackHashes(wrote),
    since: firstAt,
    until: lastAt ?? firstAt,
  }));
}

function earliest(sessions: readonly FactsOfWork[]): number {
  const times = sessions.flatMap(({ runs, written }) => [
    ...runs.flatMap(({ startedAt }) => startedAt ?? []),
    ...(written?.files ?? []).flatMap(({ firstAt }) => firstAt ?? []),
    ...(written?.commits ?? []).flatMap(({ at }) => at ?? []),
  ]);
  return times.reduce((least, at) => Math.min(least, at), Date.now());
}
