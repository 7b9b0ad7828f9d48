/** What became of the work of many sessions: each repository is read once for all that were in it. */
import { createHash } from 'node:crypto';
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
import { judgeSession, linesTold, nothing } from './judge-session.ts';
import { findLines, startOf } from './lines-in-history.ts';
import { readHistory } from './read-history.ts';
import type { LostFile } from './read-patches.ts';
import { openRepository, type Repository } from './repository.ts';
import { creditLast, linesOf, sharingOf } from './taken-over.ts';
import { type FactsOfWork, type WorkOutcome, workFactsOf } from './work-outcome.ts';

export type JudgeOptions = RepositoryRules & {
  readonly environment: GitOptions['environment'];
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one repository may take. */
  readonly timeMs?: number;
  /** So many lines are looked for in a history at a time: it is read once more for as many others. */
  readonly linesTogether?: number;
  /** False: what notes and trailers say is not looked at. */
  readonly attributions?: boolean;
  readonly cache?: OutcomeCache | undefined;
  readonly onRepository?: ((done: number, of: number) => void) | undefined;
};

/** Remembers rows: by what the session wrote, and where the branches of its repository stood. */
export type OutcomeCache = {
  readonly recall: (key: string) => WorkOutcome | undefined;
  readonly remember: (rows: ReadonlyMap<string, WorkOutcome>) => void;
  readonly save: () => void;
};

/** Far more than a usual repository takes, and little enough to wait for. */
const TIME_MS = 60_000;

/** One that takes all its time may be slow; after the second there is no telling how many more there are. */
const MOST_HUNG = 2;
const NOT_ASKED = 'the repository was not asked: two others had not answered in their time';

/** A session, and what tells it from all others. */
export type KnownSession = { readonly key: string; readonly facts: SessionFacts };

type Found = {
  readonly key: string;
  readonly facts: FactsOfWork;
  readonly isOwn: boolean;
  readonly within?: readonly string[] | undefined;
};

/** Key of a session → what became of its work; every session has a row. */
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
    const start = Date.now();
    const judged =
      hung < MOST_HUNG
        ? await judgeRepository(folder, found, options)
        : unknownRows(folder, found, NOT_ASKED);
    if (Date.now() - start >= (options.timeMs ?? TIME_MS)) hung += 1;
    for (const [key, row] of judged) rows.set(key, row);
    done += 1;
    options.onRepository?.(done, byFolder.size);
  }
  options.cache?.save();
  return rows;
}

/** What is the same in the rows of all sessions that were there is made once, because there may be very many. */
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

/** In the order of the sessions; what the repository says takes its place. */
function rowWithout(facts: SessionFacts, { place, none }: Place): WorkOutcome {
  const { sessionId } = facts;
  if ('reason' in place) return { sessionId, ...linesTold(facts), ...none };
  return { sessionId, repository: place.folder, linesWritten: 0, ...none };
}

/** Whatever is wrong with a repository is said in its rows, and stops nothing. */
async function judgeRepository(
  folder: string,
  found: readonly Found[],
  options: JudgeOptions,
): Promise<[key: string, row: WorkOutcome][]> {
  const { environment, signal, timeMs = TIME_MS } = options;
  const git = { folder, environment, signal, deadline: Date.now() + timeMs };
  try {
    const repository = await openRepository(git);
    const isSelfContained =
      found.some(({ within }) => within !== undefined) && (await hasNoWayOut(repository));
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

/** Links in it, and alternates, would have git read the repository of somebody else. */
async function hasNoWayOut({ place }: Repository): Promise<boolean> {
  if (existsSync(join(place, 'objects/info/alternates'))) return false;
  try {
    const entries = await readdir(place, { recursive: true, withFileTypes: true });
    return !entries.some((entry) => entry.isSymbolicLink());
  } catch {
    // What cannot be looked through may hold a link.
    return false;
  }
}

function refusedRow({ key, facts }: Found): [key: string, row: WorkOutcome] {
  return [key, { sessionId: facts.sessionId, ...linesTold(facts), ...nothing('unknown', NOT_ALLOWED) }];
}

function unknownRows(
  folder: string,
  found: readonly Found[],
  reason: string,
): [key: string, row: WorkOutcome][] {
  return found.map(({ key, facts }) => [
    key,
    { sessionId: facts.sessionId, repository: folder, ...linesTold(facts), ...nothing('unknown', reason) },
  ]);
}

async function judgeIn(
  git: GitOptions,
  repository: Repository,
  found: readonly Found[],
  { cache, attributions = true, linesTogether = LINES_TOGETHER }: JudgeOptions,
): Promise<[key: string, row: WorkOutcome][]> {
  const { place, standing } = repository;
  const sharing = sharingOf(found.map(({ facts }) => facts));
  const asked = found.map(({ isOwn, facts }, i) => {
    const { sessionId, written } = facts;
    const about = JSON.stringify([
      place,
      standing,
      attributions,
      isOwn,
      sessionId,
      written,
      sharing.marks[i],
    ]);
    // As long as all that it wrote, for each of them.
    const key = createHash('sha256').update(about).digest('base64url');
    return { key, known: cache?.recall(key) };
  });
  const open = asked.flatMap(({ known }, i) => (known === undefined ? [i] : []));
  const fresh = new Map<number, WorkOutcome>();
  const linesIn = (i: number): number => linesTold(found[i]?.facts ?? NOBODY).linesWritten ?? 0;
  for (const some of inPortions(open, linesTogether, linesIn)) {
    // Who wrote the same lines is looked at again beside them.
    const beside = sharing.beside(some);
    const judged = beside.map((i) => found[i] as Found);
    const rows = judgeTogether(judged, await historyFor(git, repository, judged, attributions), git);
    const wanted = new Set(some);
    beside.forEach((i, at) => {
      if (wanted.has(i)) fresh.set(i, rows[at] as WorkOutcome);
    });
  }
  cache?.remember(new Map([...fresh].map(([i, row]) => [asked[i]?.key ?? '', row])));
  return found.map(({ key }, i) => [key, (asked[i]?.known ?? fresh.get(i)) as WorkOutcome]);
}

const NOBODY: FactsOfWork = { sessionId: '', runs: [] };

/** Beside these all sessions of a history fit into little memory. */
const LINES_TOGETHER = 400_000;

function* inPortions(
  places: readonly number[],
  most: number,
  linesIn: (place: number) => number,
): Generator<number[]> {
  let [some, lines] = [[] as number[], 0];
  for (const place of places) {
    some.push(place);
    lines += linesIn(place);
    if (lines < most) continue;
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
    // Every session is held against all commits: very many of both take longer than reading them.
    if (Date.now() > deadline) throw new GitProblem(TOO_LONG);
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
