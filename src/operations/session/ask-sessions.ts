/**
 * Every question about sessions starts here: it syncs what changed on this machine into the store, then queries the
 * store. Named paths use a temporary store, and so do questions that need other scoring options than the store has.
 */

import { AssayError } from '../../errors.ts';
import type { LabelNames } from '../../session/calibration/labels.ts';
import type { WeightsDoubt } from '../../session/calibration/weights-file.ts';
import type { FileReading } from '../../session/evidence.ts';
import type { RepositoryTrouble } from '../../session/outcomes/work-outcome.ts';
import type { SessionOptions } from '../../session/score-session.ts';
import { stopIfAborted, yieldToEventLoop } from '../../session/stop-if-aborted.ts';
import { type FullSession, scoreStored } from '../../session/stored-session.ts';
import { openStore } from '../../store/open.ts';
import type { SessionRow } from '../../store/schema/session.ts';
import type { SessionQuery, SessionSummary, Store } from '../../store/store.ts';
import { type Synced, sessionRow, storedIn, sync } from '../../sync.ts';
import type { Ports } from '../ports.ts';
import { storageFailure } from '../storage-failure.ts';
import { findTranscripts } from './find-transcripts.ts';
import type { Joined, Unjoined } from './match-labels.ts';
import { Opinions, ratingsOfSessions } from './model-opinions.ts';
import { readScoringOptions } from './scoring-options.ts';
import { queryOf, SelectedSessions } from './selected-sessions.ts';
import type { ScoringChoices, SessionRequest, TranscriptPlaces } from './session-request.ts';
import type { Chances } from './success-chances.ts';

/** Where Assay looked for sessions. */
export type Looked =
  | { readonly in: 'paths'; readonly paths: readonly string[] }
  | { readonly in: 'places of agents' }
  | { readonly in: 'store'; readonly address: string };

/** What every result based on transcripts reports: what was skipped, and warnings. */
export type ReadReport = {
  readonly unreadable: readonly { readonly path: string; readonly why: string }[];
  /** Labels whose id matches several sessions: they were attached to none. */
  readonly unjoined?: readonly Unjoined[];
  /** Problems of the chosen weights. */
  readonly weightsDoubts?: readonly WeightsDoubt[];
};

export type AskRequest = SessionRequest & {
  /** The names that a labels file gives to sessions, next to outcomes and task types. */
  readonly labelled?: LabelNames;
};

/** A store in which every session is scored as the request wants it. */
export class QueriedSessions extends SelectedSessions {
  readonly looked: Looked;
  /** The scoring options of every session. */
  readonly options: SessionOptions;
  /** Label name of a session → its key. */
  readonly joined: Joined;
  readonly opinions: Opinions;
  readonly repositoryTrouble: RepositoryTrouble | undefined;
  readonly #ports: Pick<Ports, 'store'>;
  #chances: Promise<Chances> | undefined;
  readonly #filter: SessionQuery;

  constructor(
    store: Store,
    filter: SessionQuery,
    about: Pick<QueriedSessions, 'looked' | 'options' | 'joined' | 'opinions' | 'repositoryTrouble'>,
    ports: Pick<Ports, 'store'>,
  ) {
    super(store, filter);
    this.looked = about.looked;
    this.options = about.options;
    this.joined = about.joined;
    this.opinions = about.opinions;
    this.repositoryTrouble = about.repositoryTrouble;
    this.#filter = filter;
    this.#ports = ports;
  }

  /** P(success), learned from all sessions with a known outcome. */
  chances(): Promise<Chances> {
    this.#chances ??= chancesIn(this.store, this.#ports, this.options.outcomes);
    return this.#chances;
  }

  /** The sessions that pass the filter, file by file, in little memory however many there are. */
  rows(query: Pick<SessionQuery, 'withoutFacts'> = {}): AsyncIterable<SessionRow> {
    return this.store.readSessions({ ...this.#filter, ...query, order: 'file' });
  }

  /** The same without their facts, all at once: for comparisons across sessions. */
  async summaries(): Promise<SessionSummary[]> {
    const found: SessionSummary[] = [];
    for await (const row of this.rows({ withoutFacts: true })) found.push(row);
    return found;
  }

  /** The session with its signals, as it was scored. */
  full(row: SessionRow): FullSession {
    const stored = storedIn(row);
    const session = scoreStored(stored, this.options, row.sessionKey);
    const opinion = this.opinions.of(row);
    return { ...stored, session: opinion === undefined ? session : { ...session, opinion } };
  }

  async details({ sessionKey }: Pick<SessionSummary, 'sessionKey'>): Promise<FullSession> {
    const row = await this.store.readSession(sessionKey);
    if (row === undefined) throw new AssayError('SESSION_NOT_FOUND', `the session ${sessionKey} was deleted`);
    return this.full(row);
  }

  /** How each file was read; from a store only the files with skipped lines. */
  async files(): Promise<FileReading[]> {
    if (this.looked.in === 'store') return this.#filesWithSkippedLines();
    const readings = (await this.store.transcripts?.readings()) ?? new Map();
    return byPath([...readings.values()] as unknown as FileReading[]);
  }

  async #filesWithSkippedLines(): Promise<FileReading[]> {
    const files = new Map<string, FileReading>();
    for await (const row of this.store.readSessions({ withSkippedLines: true })) {
      const { file } = storedIn(row);
      files.set(file.path, file);
    }
    return byPath([...files.values()]);
  }
}

/** Loaded only here: most requests do not need it. */
export async function chancesIn(
  store: Store,
  ports: Pick<Ports, 'store'>,
  outcomes?: ReadonlyMap<string, number>,
): Promise<Chances> {
  const { Chances } = await import('./success-chances.ts');
  return Chances.learn(store, { ratings: await ratingsOfSessions(ports), outcomes });
}

function byPath(files: FileReading[]): FileReading[] {
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export async function askSessions<Result extends object>(
  request: AskRequest,
  ports: Ports,
  answer: (asked: QueriedSessions) => Result | Promise<Result>,
): Promise<Result & ReadReport> {
  const opened: Store[] = [];
  try {
    const { asked, left } = await open(request, ports, opened);
    return { ...(await answer(asked)), ...left };
  } finally {
    for (const store of opened) await store.close();
  }
}

async function open(request: AskRequest, ports: Ports, opened: Store[]) {
  const temporary = async () => {
    const store = await openStore(':memory:');
    opened.push(store);
    return store;
  };
  const { from, repositories } = request;
  const { scoring = {} } = request;
  const { options: given, weightsDoubts, names } = await readScoringOptions(scoring);
  const { outcomes, taskTypes, costs, ...chosen } = given;
  const isLabelled = outcomes !== undefined || taskTypes !== undefined || costs !== undefined;
  const isOwn = from !== 'store' && (from.paths.length > 0 || from.temporary === true);
  const usual = isOwn ? chosen : (await readScoringOptions(configuredChoices(scoring))).options;
  const synced = await syncedStore(request, usual, isOwn, ports, temporary);
  const labelled = new Map([...names, ...(request.labelled ?? [])]);
  const { unjoined, joined, options } = await joinLabels(given, labelled, synced.store);
  const places = repositories?.places ?? [];
  const isOtherwise = isLabelled || (!isOwn && (hasFiles(scoring) || places.length > 0));
  const store = isOtherwise ? await temporary() : synced.store;
  if (isOtherwise) await copySessions(synced.store, store, options, ports);
  if (isOtherwise && places.length > 0)
    await sync(store, { files: [], scoring: options, repositories: repositories }, ports);
  const looked: Looked =
    from === 'store'
      ? { in: 'store', address: synced.store.address }
      : from.paths.length > 0
        ? { in: 'paths', paths: from.paths }
        : { in: 'places of agents' };
  const { repositoryTrouble } = synced;
  const opinions = await Opinions.read(request.opinions === false ? undefined : ports, store);
  const about = { looked, options: isOtherwise ? options : usual, joined, opinions, repositoryTrouble };
  const left: ReadReport = { unreadable: synced.unreadable, unjoined, weightsDoubts };
  return { asked: new QueriedSessions(store, queryOf(request.filter ?? {}), about, ports), left };
}

/** Matches label names with sessions. */
async function joinLabels(options: SessionOptions, names: LabelNames, store: Store) {
  if (names.size === 0) return { options, unjoined: [], joined: new Map<string, string>() };
  const { matchLabels } = await import('./match-labels.ts');
  return matchLabels(options, await store.listSessions(), names);
}

/** The configured choices only: files apply to one request. */
function configuredChoices({ taskTypeOf, ownWeights }: ScoringChoices): ScoringChoices {
  return { ...(taskTypeOf && { taskTypeOf }), ...(ownWeights && { ownWeights }) };
}

function hasFiles({ weights, baselines, prices, intents }: ScoringChoices): boolean {
  return [weights, baselines, prices, intents].some((file) => file !== undefined);
}

type SyncedStore = Synced & { readonly store: Store };

async function syncedStore(
  { from, repositories, keep }: AskRequest,
  scoring: SessionOptions,
  isOwn: boolean,
  ports: Ports,
  temporary: () => Promise<Store>,
): Promise<SyncedStore> {
  if (from === 'store') return { store: await ports.store('looking'), unreadable: [] };
  const found = findTranscripts(from);
  const request = { files: found.files, scoring, repositories, fresh: from.fresh };
  const own = async (): Promise<SyncedStore> => {
    const store = await temporary();
    const synced = await sync(store, request, ports);
    return { ...synced, store, unreadable: [...found.unreadable, ...synced.unreadable] };
  };
  if (isOwn) {
    const synced = await own();
    if (keep === true)
      await trying(ports, async () => copySessions(synced.store, await ports.store(), undefined, ports));
    return synced;
  }
  // A read-only question does not report that nothing could be stored.
  const done = await trying(keep === true ? ports : { reportStorageFailure: () => {} }, async () => {
    const store = await ports.store();
    // A store that several machines write to does not know their files.
    if (store.transcripts === undefined) {
      const synced = await own();
      await copySessions(synced.store, store, undefined, ports);
      return { ...synced, store };
    }
    const synced = await sync(store, request, ports);
    return { ...synced, store, unreadable: [...found.unreadable, ...synced.unreadable] };
  });
  return done ?? own();
}

/** An unwritable store does not discard the answer, which may have taken long. */
async function trying<T>(
  ports: Pick<Ports, 'reportStorageFailure'>,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    ports.reportStorageFailure(
      storageFailure(error, 'The answer is given, but the sessions are not all in the store', ADDED_LATER),
    );
    return undefined;
  }
}

const ADDED_LATER = 'Then run the same command again: what is missing is added.';

const ROWS_TOGETHER = 500;

/** Unchanged, or rescored with other options. */
async function copySessions(
  from: Store,
  to: Store,
  options: SessionOptions | undefined,
  { signal, now }: Pick<Ports, 'signal' | 'now'>,
): Promise<void> {
  const scoredAt = now().toISOString();
  let rows: SessionRow[] = [];
  const flush = async () => {
    await to.appendSessions(rows);
    rows = [];
    await yieldToEventLoop(signal);
  };
  for await (const row of from.readSessions({ onDamage: () => {} })) {
    stopIfAborted(signal);
    const stored = storedIn(row);
    rows.push(
      options === undefined
        ? row
        : sessionRow({ ...stored, session: scoreStored(stored, options, row.sessionKey) }, scoredAt),
    );
    if (rows.length === ROWS_TOGETHER) await flush();
  }
  if (rows.length > 0) await flush();
}

export type SyncSessionsRequest = Pick<SessionRequest, 'scoring' | 'repositories'> & {
  readonly from: TranscriptPlaces;
};

/** Stores the sessions of files in the caller's store. */
export async function syncSessions(request: SyncSessionsRequest, ports: Ports): Promise<Synced> {
  const { from, scoring, repositories } = request;
  const { options } = await readScoringOptions(configuredChoices(scoring ?? {}));
  const { files, unreadable } = findTranscripts(from);
  const store = await ports.store();
  const synced = await sync(store, { files, scoring: options, repositories }, ports);
  return { ...synced, unreadable: [...unreadable, ...synced.unreadable] };
}
