/** What became of the work of many sessions: each repository is read once for all that were in it. */
import type { SessionFacts } from '../evidence.ts';
import { unpackHashes } from '../fold/line-hash.ts';
import { type FoundRepository, findRepository, type RepositoryPlace } from './find-repository.ts';
import { type GitOptions, GitProblem } from './git.ts';
import { judgeSession, nothing } from './judge-session.ts';
import { readHistory } from './read-history.ts';
import { openRepository, type Repository } from './repository.ts';
import type { WorkOutcome } from './work-outcome.ts';

export type JudgeOptions = {
  readonly places: readonly RepositoryPlace[];
  readonly environment: GitOptions['environment'];
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one repository may take. */
  readonly timeMs?: number;
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

/** A session, and what tells it from all others. */
export type KnownSession = { readonly key: string; readonly facts: SessionFacts };

type Found = KnownSession & { readonly isOwn: boolean };

/** Key of a session → what became of its work; every session has a row. */
export async function judgeWork(
  sessions: Iterable<KnownSession>,
  options: JudgeOptions,
): Promise<Map<string, WorkOutcome>> {
  const rows = new Map<string, WorkOutcome>();
  const byFolder = new Map<string, Found[]>();
  const places = new Map<string | undefined, Place>();
  for (const { key, facts } of sessions) {
    const { sessionId, project, written } = facts;
    const found = places.get(project) ?? placeOf(project, options.places);
    places.set(project, found);
    const { place, row } = found;
    rows.set(key, { sessionId, ...row });
    if (!('reason' in place) && written !== undefined) {
      const list = byFolder.get(place.folder) ?? [];
      byFolder.set(place.folder, list);
      list.push({ key, facts, isOwn: place.isOwn });
    }
  }
  let done = 0;
  for (const [folder, found] of byFolder) {
    for (const [key, row] of await judgeRepository(folder, found, options)) rows.set(key, row);
    done += 1;
    options.onRepository?.(done, byFolder.size);
  }
  options.cache?.save();
  return rows;
}

/** The row of every session that was there, until its repository says more: made once, because there may be very many. */
type Place = { readonly place: FoundRepository; readonly row: Omit<WorkOutcome, 'sessionId'> };

function placeOf(project: string | undefined, places: readonly RepositoryPlace[]): Place {
  const place = findRepository(project, places);
  const row =
    'reason' in place
      ? nothing('unknown', place.reason)
      : { repository: place.folder, ...nothing('nothing-written', 'it wrote no lines') };
  return { place, row };
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
    return await judgeIn(git, repository, found, options);
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    const reason = `the repository could not be read: ${error.message}`;
    return found.map(({ key, facts: { sessionId } }) => [
      key,
      { sessionId, repository: folder, ...nothing('unknown', reason) },
    ]);
  }
}

async function judgeIn(
  git: GitOptions,
  repository: Repository,
  found: readonly Found[],
  { cache, attributions = true }: JudgeOptions,
): Promise<[key: string, row: WorkOutcome][]> {
  const rows: [key: string, row: WorkOutcome][] = [];
  const open: (Found & { readonly remembered: string })[] = [];
  for (const one of found) {
    const { key, isOwn, facts } = one;
    const { place, standing } = repository;
    const remembered = JSON.stringify([place, standing, attributions, isOwn, facts.sessionId, facts.written]);
    const known = cache?.recall(remembered);
    if (known === undefined) open.push({ ...one, remembered });
    else rows.push([key, known]);
  }
  if (open.length === 0) return rows;
  const history = await readHistory(git, repository, {
    since: earliest(open.map(({ facts }) => facts)),
    files: open.flatMap(({ facts }) => facts.written?.files.map(({ ends }) => ends) ?? []),
    hashes: new Set(open.flatMap(({ facts }) => hashesOf(facts))),
    sessionIds: new Set(open.map(({ facts }) => facts.sessionId)),
    attributions,
  });
  const fresh = open.map((one) => {
    const row = judgeSession(one.facts, { repository: history, isOwn: one.isOwn });
    return { ...one, row };
  });
  cache?.remember(new Map(fresh.map(({ remembered, row }) => [remembered, row])));
  for (const { key, row } of fresh) rows.push([key, row]);
  return rows;
}

function hashesOf({ written }: SessionFacts): number[] {
  return (written?.files ?? []).flatMap(({ wrote, removed, left }) =>
    [wrote, removed, left].flatMap(unpackHashes),
  );
}

function earliest(sessions: readonly SessionFacts[]): number {
  const times = sessions.flatMap(({ runs, written }) => [
    ...runs.flatMap(({ startedAt }) => startedAt ?? []),
    ...(written?.files ?? []).flatMap(({ firstAt }) => firstAt ?? []),
    ...(written?.commits ?? []).flatMap(({ at }) => at ?? []),
  ]);
  return times.reduce((least, at) => Math.min(least, at), Date.now());
}
