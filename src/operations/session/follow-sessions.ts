/**
 * Follows sessions while agents work. Each is scored again when its file grows, by the same fold and scorer as any
 * other, so its row always equals that of a full scoring. A session has ended when its transcript or a hook says so, or
 * after a silence. If more arrives, it continues.
 */
import { AssayError } from '../../errors.ts';
import type { FileReading, SessionFacts } from '../../session/evidence.ts';
import { hashKey } from '../../session/ingest/duplicates/entry-keys.ts';
import { endsItself } from '../../session/live/ends-itself.ts';
import { type LiveFile, LiveTranscripts } from '../../session/live/live-transcripts.ts';
import { factsOfSender, pathOfStream, senderOf, streamOfPath } from '../../session/live/sent-streams.ts';
import type { ScoredSession } from '../../session/score-session.ts';
import type { FullSession } from '../../session/stored-session.ts';
import type { StreamState } from '../../store/intake.ts';
import type { SessionRow } from '../../store/schema/session.ts';
import type { Delivery } from '../../store/store.ts';
import { sessionRow, storedVerifications } from '../../sync.ts';
import type { Ports } from '../ports.ts';
import { storageFailure } from '../storage-failure.ts';
import { findTranscripts } from './find-transcripts.ts';
import { type ReadSession, scoreRead, sessionsOf } from './score-read.ts';
import { readScoringOptions } from './scoring-options.ts';
import type { SessionRequest, TranscriptPlaces } from './session-request.ts';

export type FollowRequest = Pick<SessionRequest, 'scoring' | 'repositories'> & {
  readonly from: TranscriptPlaces;
  /** A session has ended after this many milliseconds without activity. */
  readonly silenceMs: number;
  /** `false`: store nothing. */
  readonly keep?: boolean;
  /** Also publish sessions that ended after this (milliseconds since 1970) and before the start. */
  readonly since?: number;
  /** Targets for ended sessions: the deliveries are stored in the same transaction as the row. */
  readonly deliverTo?: readonly string[];
  /** Sessions sent before the start. `isShared`: other servers score them as well. */
  readonly sent?: { readonly streams: readonly StreamState[]; readonly isShared: boolean };
};

/** A change of a session. */
export type SessionMoment = {
  /** `rescored`: its row changed because of another session or its repository. */
  readonly kind: 'started' | 'updated' | 'ended' | 'rescored';
  readonly row: SessionRow;
  readonly session: ScoredSession;
  readonly facts: SessionFacts;
  readonly file: FileReading;
};

export type PublishMoments = (moments: readonly SessionMoment[]) => void | Promise<void>;

type Followed = {
  revision: string;
  scoredAt: string;
  facts: number;
  path: string;
  sessionId: string;
  /** When it last had new content. */
  activeAt: number;
  hasEnded: boolean;
  /** It ended before Assay watched it: a hook that reports its end now is believed, and the end is published. */
  isUnannounced?: boolean;
};

/** Scoring takes at most this share of the time; changes in between are scored together. */
const SHARE = 0.2;
/** CPU share of a dedicated server. */
const SERVER_SHARE = 0.8;
const TOGETHER_MS = 50;
/** Wait this long before trying a locked or full store again. */
const AGAIN_MS = 5000;
const ROWS_TOGETHER = 500;

export class SessionFollower {
  readonly #request: FollowRequest;
  readonly #ports: Ports;
  readonly #publish: PublishMoments;
  readonly #isShared: boolean;
  #transcripts = new LiveTranscripts();
  readonly #sessions = new Map<string, Followed>();
  readonly #active = new Set<string>();
  readonly #dirty = new Set<string>();
  /** Changed files whose sessions could not be stored or published. */
  readonly #unscored = new Set<string>();
  /** Files whose session a hook reported as ended. */
  readonly #ended = new Set<string>();
  /** Files that must be read whole, and were read recently. */
  readonly #resting = new Map<string, NodeJS.Timeout>();
  /** Files that a caller waits for, recently read or not. */
  readonly #waitedFor = new Set<string>();
  #scoring: Awaited<ReturnType<typeof readScoringOptions>> | undefined;
  #working: Promise<void> = Promise.resolve();
  #wakes: NodeJS.Timeout | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;
  #restUntil = 0;
  #scoredAt = 0;
  #isStopped = false;

  constructor(request: FollowRequest, ports: Ports, publish: PublishMoments) {
    this.#request = request;
    this.#ports = ports;
    this.#publish = publish;
    this.#isShared = request.sent?.isShared ?? false;
  }

  /** The number of sessions, and of open ones. */
  get counts(): { readonly sessions: number; readonly open: number } {
    return { sessions: this.#sessions.size, open: this.#active.size };
  }

  /** All current files. */
  list(): readonly string[] {
    return findTranscripts(this.#request.from).files;
  }

  /** Scores existing files, and from then on every change. */
  async begin(): Promise<void> {
    const { scoring, repositories, sent } = this.#request;
    this.#scoring = await readScoringOptions(scoring);
    const streams = sent && (await this.#ports.store()).intake;
    this.#transcripts = new LiveTranscripts({ repositories, streams, signal: this.#ports.signal });
    this.#transcripts.addStreams(sent?.streams ?? []);
    const files = [...this.list(), ...this.#transcripts.streamPaths];
    await this.#transcripts.begin(files);
    this.#working = this.#score(files, 'begin');
    await this.#working;
    this.#wakeIn(0);
  }

  /** Adds newly sent sessions. */
  addStreams(streams: readonly StreamState[]): void {
    this.#transcripts.addStreams(streams);
    this.touch(streams.map(pathOfStream));
  }

  /** Marks these files as possibly changed. */
  touch(paths: Iterable<string>): void {
    for (const path of paths) this.#dirty.add(path);
    if (this.#dirty.size > 0) this.#wakeIn(Math.max(TOGETHER_MS, this.#restUntil - performance.now()));
  }

  /** Marks the sessions of a file as ended. */
  end(path: string): void {
    this.#ended.add(path);
    this.touch([path]);
  }

  /** Resolves when every marked file is scored. */
  async settled(): Promise<void> {
    do {
      this.#restNoLonger();
      this.#wakeIn(0);
      await new Promise((resolve) => setTimeout(resolve, 1));
      await this.#working;
    } while ((this.#dirty.size > 0 || this.#resting.size > 0) && !this.#isStopped);
  }

  /** Pending changes are scored first. */
  async stop(): Promise<void> {
    await this.settled().catch(() => {});
    this.#isStopped = true;
    clearTimeout(this.#wakes);
    await this.#working.catch(() => {});
  }

  #wakeIn(ms: number): void {
    const at = performance.now() + ms;
    if (this.#isStopped || at >= this.#wakesAt) return;
    clearTimeout(this.#wakes);
    this.#wakesAt = at;
    this.#wakes = setTimeout(() => {
      this.#wakesAt = Number.POSITIVE_INFINITY;
      this.#working = this.#working.then(() => this.#round()).catch((error) => this.#fail(error));
    }, ms);
    this.#wakes.unref();
  }

  async #round(): Promise<void> {
    if (this.#isStopped) return;
    const start = performance.now();
    const touched = [...this.#dirty];
    this.#dirty.clear();
    try {
      const now = new Set([...this.#ended, ...this.#waitedFor]);
      this.#waitedFor.clear();
      const { changed, later } = await this.#transcripts.update(touched, { now });
      this.#touchLater(later);
      for (const path of [...changed, ...this.#ended]) this.#unscored.add(path);
      await this.#score([...this.#unscored], 'changed');
      this.#unscored.clear();
      await this.#endSilent();
    } finally {
      const share = this.#isShared ? SERVER_SHARE : SHARE;
      this.#restUntil = performance.now() + (performance.now() - start) * (1 / share - 1);
      this.#sleep();
    }
  }

  /**
   * Files that must be read whole, a database or a document, are read again after a pause; others continue meanwhile.
   */
  #touchLater(later: ReadonlyMap<string, number>): void {
    for (const [path, ms] of later) {
      if (this.#resting.has(path)) continue;
      const timer = setTimeout(() => {
        this.#resting.delete(path);
        this.touch([path]);
      }, ms);
      this.#resting.set(path, timer.unref());
    }
  }

  #restNoLonger(): void {
    for (const [path, timer] of this.#resting) {
      clearTimeout(timer);
      this.#waitedFor.add(path);
      this.#dirty.add(path);
    }
    this.#resting.clear();
  }

  /** Waits until the next session may have ended. */
  #sleep(): void {
    if (this.#dirty.size > 0) this.#wakeIn(Math.max(TOGETHER_MS, this.#restUntil - performance.now()));
    let next = Number.POSITIVE_INFINITY;
    for (const key of this.#active) next = Math.min(next, this.#sessions.get(key)?.activeAt ?? next);
    if (Number.isFinite(next))
      this.#wakeIn(Math.max(TOGETHER_MS, next + this.#request.silenceMs - this.#now()));
  }

  /** Reads the files to the end first, because their modification times may be misleading. */
  async #endSilent(): Promise<void> {
    const { silenceMs } = this.#request;
    const isSilent = (key: string): boolean => {
      const known = this.#sessions.get(key);
      return known !== undefined && this.#now() - known.activeAt >= silenceMs;
    };
    const silent = [...this.#active].filter(isSilent);
    if (silent.length === 0) return;
    const paths = silent.flatMap((key) => this.#sessions.get(key)?.path ?? []);
    await this.#transcripts.update(paths, { verify: true });
    await this.#score(paths, 'changed');
    // A session that is gone from its file, or whose file is gone, was not scored again, so it is no longer active.
    for (const key of silent) if (isSilent(key)) this.#active.delete(key);
  }

  async #score(paths: readonly string[], why: 'begin' | 'changed'): Promise<void> {
    const named = new Set(this.#ended);
    // Sessions of two projects never affect each other, whatever they claim.
    const byProject = Map.groupBy(paths, (path) => streamOfPath(path)?.project);
    for (const own of byProject.values()) await this.#scoreTogether(own, why, named);
    for (const path of named) this.#ended.delete(path);
  }

  async #scoreTogether(
    paths: readonly string[],
    why: 'begin' | 'changed',
    named: ReadonlySet<string>,
  ): Promise<void> {
    if (this.#scoring === undefined) return;
    const files = await this.#transcripts.related(paths);
    const dates = this.#isShared ? this.#datesOf(files) : undefined;
    const found = sessionsOf(
      files.flatMap(({ path, sessions }) => sessions.map((facts) => ({ path, facts }))),
      files.map(({ reading }) => reading),
    );
    const verifications =
      this.#request.keep === false
        ? undefined
        : await storedVerifications(await this.#ports.store('looking'));
    const read = { sessions: [...this.#ofProjects(found.sessions)], ...(verifications && { verifications }) };
    const moments: SessionMoment[] = [];
    let rows: SessionRow[] = [];
    const scoredAt = this.#later();
    const dated: SessionRow[] = [];
    let deliveries: Delivery[] = [];
    const { deliverTo = [] } = this.#request;
    // Loads zod, which a program that only follows sessions does not need.
    const events = deliverTo.length > 0 ? await import('./scored-event.ts') : undefined;
    await scoreRead(read, this.#scoring, this.#request, this.#ports, async (one) => {
      const date = dates?.get(one.file.path);
      const row = sessionRow(one, date ?? scoredAt);
      const kinds = this.#kindsOf(one, row, why, named);
      for (const kind of kinds) moments.push({ kind, row, ...one });
      if (events && kinds.some((kind) => kind === 'ended' || kind === 'rescored'))
        deliveries.push(...events.deliveriesOf(row, deliverTo, scoredAt));
      // A date later than the row's own shows that it includes more than another server had.
      const isLater = date !== undefined && date > (this.#sessions.get(row.sessionKey)?.scoredAt ?? '');
      if (isLater) dated.push(row);
      if (kinds.length > 0 || why === 'begin' || isLater) rows.push(row);
      if (rows.length < ROWS_TOGETHER) return;
      // At the start all deliveries are stored at once: their presence shows what was not delivered.
      await this.#store(rows, why === 'begin' ? [] : deliveries);
      if (why !== 'begin') deliveries = [];
      rows = [];
    });
    await this.#store(rows, deliveries);
    if (moments.length > 0) await this.#publish(moments);
    for (const moment of moments) this.#remember(moment);
    for (const { sessionKey, scoredAt } of dated) {
      const known = this.#sessions.get(sessionKey);
      if (known !== undefined) known.scoredAt = scoredAt;
    }
  }

  *#ofProjects(sessions: Iterable<ReadSession>): Generator<ReadSession> {
    for (const one of sessions)
      yield { ...one, facts: factsOfSender(one.facts, senderOf(one.file.path), this.#isShared) };
  }

  /**
   * Path → the date of its rows. Sent sessions rest on the same parts on every server, so they are dated by the arrival
   * of the latest part plus a millisecond per line: a row that knows less never replaces one that knows more.
   */
  #datesOf(files: readonly LiveFile[]): ReadonlyMap<string, string> {
    const dates = new Map<string, string>();
    for (const group of Map.groupBy(files, ({ path }) => this.#transcripts.groupOf(path)).values()) {
      const sent = group.filter(({ path }) => streamOfPath(path) !== undefined);
      if (sent.length === 0) continue;
      const received = Math.max(...sent.map(({ path }) => this.#transcripts.receivedAt(path) ?? 0));
      const lines = sent.reduce((sum, { reading }) => sum + reading.lines, 0);
      const date = new Date(received + lines).toISOString();
      for (const { path } of group) dates.set(path, date);
    }
    return dates;
  }

  async #store(rows: readonly SessionRow[], deliveries: readonly Delivery[]): Promise<void> {
    if (this.#request.keep === false || rows.length + deliveries.length === 0) return;
    await (await this.#ports.store()).appendSessions(rows, deliveries);
  }

  /** What happened since it was last scored. */
  #kindsOf(
    one: FullSession,
    row: SessionRow,
    why: 'begin' | 'changed',
    named: ReadonlySet<string>,
  ): SessionMoment['kind'][] {
    const { facts, file } = one;
    const { silenceMs, since } = this.#request;
    const known = this.#sessions.get(row.sessionKey);
    const hash = hashKey(JSON.stringify(facts));
    const isNew = known?.facts !== hash;
    const seen = why === 'begin' ? this.#lastSeen(one) : this.#now();
    const activeAt = isNew ? seen : known.activeAt;
    const isOver = named.has(file.path) || endsItself(facts) || this.#now() - activeAt >= silenceMs;
    if (why === 'begin') {
      const state = { ...stateOf(row, hash, file, activeAt), sessionId: facts.sessionId };
      const isAnnounced = isOver && since !== undefined && activeAt >= since;
      this.#sessions.set(row.sessionKey, {
        ...state,
        hasEnded: isOver,
        isUnannounced: isOver && !isAnnounced,
      });
      if (!isOver) this.#active.add(row.sessionKey);
      return isAnnounced ? ['ended'] : [];
    }
    const kinds: SessionMoment['kind'][] = [];
    if (known === undefined) kinds.push('started');
    else if (isNew) kinds.push('updated');
    const isSaid = known?.isUnannounced === true && named.has(file.path);
    if (isOver && (isNew || known?.hasEnded === false || isSaid)) kinds.push('ended');
    if (kinds.length === 0 && known !== undefined && known.revision !== row.revision) kinds.push('rescored');
    return kinds;
  }

  #lastSeen({ session, file }: FullSession): number {
    const own = session.endedAt ?? session.startedAt;
    return (
      this.#transcripts.receivedAt(file.path) ?? own ?? this.#transcripts.changedAt(file.path) ?? this.#now()
    );
  }

  /** Only after its row is stored and published: otherwise both are done again. */
  #remember({ kind, row, facts, file }: SessionMoment): void {
    const known = this.#sessions.get(row.sessionKey);
    const hash = hashKey(JSON.stringify(facts));
    const activeAt = known === undefined || known.facts !== hash ? this.#now() : known.activeAt;
    const hasEnded = kind === 'ended' || (kind === 'rescored' && known?.hasEnded === true);
    this.#sessions.set(row.sessionKey, {
      ...stateOf(row, hash, file, activeAt),
      sessionId: facts.sessionId,
      hasEnded,
    });
    if (hasEnded) this.#active.delete(row.sessionKey);
    else this.#active.add(row.sessionKey);
  }

  /** The latest row of a session counts, even if the clock is set back. */
  #later(): string {
    this.#scoredAt = Math.max(this.#now(), this.#scoredAt + 1);
    return new Date(this.#scoredAt).toISOString();
  }

  #now(): number {
    return this.#ports.now().getTime();
  }

  #fail(error: unknown): void {
    if (this.#isStopped || this.#ports.signal.aborted) return;
    this.#ports.reportStorageFailure(notStored(error));
    this.#restUntil = performance.now() + AGAIN_MS;
    this.#wakeIn(AGAIN_MS);
  }
}

function stateOf(
  row: SessionRow,
  facts: number,
  { path }: FileReading,
  activeAt: number,
): Omit<Followed, 'hasEnded' | 'sessionId'> {
  return { revision: row.revision, scoredAt: row.scoredAt, facts, path, activeAt };
}

/** No error may end the watching, because other sessions must still be scored. */
function notStored(error: unknown): AssayError {
  const meaning = 'a session changed and was not stored';
  try {
    return storageFailure(error, meaning, 'It is tried again.');
  } catch {
    const why = error instanceof Error ? error.message : String(error);
    return new AssayError('INTERNAL', `${meaning}: ${why}`, { cause: error });
  }
}
