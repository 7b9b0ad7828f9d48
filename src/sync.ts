/**
 * How sessions get into the store. Sync reads files that changed since they were read last, scores their sessions and
 * writes their rows; then it applies what other files, other sessions and repositories change about them. Every
 * question is a query over these rows (operations/session/ask-sessions.ts).
 *
 *  What was read is in the store within a second. A sync that dies leaves its files unsettled, and the next one
 * continues with them.
 */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { storedColumns } from './session/columns.ts';
import type { FileReading, SessionFacts } from './session/evidence.ts';
import { type Delegated, nameOf, noteDelegated } from './session/families.ts';
import { SILENCE_MS } from './session/fold/facts.ts';
import { withoutPrinted } from './session/ingest/duplicates/printed-sessions.ts';
import {
  type FoundSession,
  foundSession,
  resolveDuplicates,
} from './session/ingest/duplicates/resolve-duplicates.ts';
import {
  bytesOf,
  companionsOf,
  type Identity,
  identityOf,
  isSameFile,
  isUntouched,
} from './session/ingest/files/file-identity.ts';
import { STANDARD_INPUT } from './session/ingest/files/open-input.ts';
import { readersVersion } from './session/ingest/readers-version.ts';
import type { FileResult } from './session/ingest/reading/read-file.ts';
import { readFiles } from './session/ingest/reading/read-files.ts';
import { type FoundRepository, findRepository } from './session/outcomes/find-repository.ts';
import type { JudgeOptions, KnownSession } from './session/outcomes/judge-work.ts';
import {
  measurableFrom,
  type RepositoryTrouble,
  repositoryTrouble,
  type WorkOutcome,
} from './session/outcomes/work-outcome.ts';
import { SHIPPED_BASELINES } from './session/profiles/baselines.ts';
import { seenIn } from './session/receipts.ts';
import { SCORER_VERSION } from './session/score.ts';
import type { SessionOptions } from './session/score-session.ts';
import { keyOfSession } from './session/session-key.ts';
import { stopIfAborted, yieldToEventLoop } from './session/stop-if-aborted.ts';
import { type FullSession, keyOf, type StoredSession, scoreStored } from './session/stored-session.ts';
import type { CheckCounts, Verification } from './session/verify/verification.ts';
import { DOCUMENTED_WEIGHTS } from './session/weights.ts';
import { contentHash } from './store/canonical.ts';
import type { ScoredWith } from './store/rollup.ts';
import type { SessionRow } from './store/schema/session.ts';
import type { Json, Store } from './store/store.ts';
import type { Transcript, TranscriptIndex } from './store/transcripts.ts';

export type SyncRequest = {
  readonly files: readonly string[];
  /** What every row is scored with. */
  readonly scoring: SessionOptions;
  /** The repositories to read outcomes from; without it none is read. */
  readonly repositories?: Omit<JudgeOptions, 'signal' | 'onRepository'> | undefined;
  /** Also unchanged files are read. */
  readonly fresh?: boolean | undefined;
};

export type SyncPorts = {
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly progress: (progress: { what: string; done: number; total?: number; unit: string }) => void;
};

export type Synced = {
  readonly repositoryTrouble?: RepositoryTrouble;
  /** Files that could not be read. */
  readonly unreadable: readonly { readonly path: string; readonly why: string }[];
};

/** A store shared by several machines is filled from one in memory. */
export async function sync(store: Store, request: SyncRequest, ports: SyncPorts): Promise<Synced> {
  const run = await SyncRun.begin(store, indexOf(store), request, ports);
  const unreadable = await run.read();
  await run.resolve();
  await run.passOnToParents();
  const repositoryTrouble = await run.askRepositories();
  await run.scoreAgain();
  await run.settle();
  return { unreadable, ...repositoryTrouble };
}

/** What sync needs of a session of a file. */
type Found = FoundSession & {
  readonly key: string;
  readonly project?: string | undefined;
  /** What it contributes to the delegation quality of its parent. */
  readonly child?: Delegated | undefined;
  /** The results of the sub-agents that its row was scored with. */
  readonly delegated?: Delegated | undefined;
  /** When it was last heard of, while it may go on. */
  readonly openSince?: number | undefined;
  /** It counts for another file. */
  readonly isElsewhere?: boolean;
};

type Known = Omit<Transcript, 'keys' | 'reading' | 'sessions'> & { readonly sessions: readonly Found[] };

type Stamp = {
  readonly identity?: Identity | undefined;
  readonly companions: string;
  readonly readers: string;
};

/** Rows of one transaction, and runs in them: enough to be fast, few enough for memory and for other processes. */
const ROWS_PER_BATCH = 100;
const RUNS_PER_BATCH = 500;

class SyncRun {
  readonly #store: Store;
  readonly #index: TranscriptIndex;
  readonly #request: SyncRequest;
  readonly #ports: SyncPorts;
  readonly #known: Map<string, Known>;
  readonly #notes: Map<string, string>;
  readonly #newNotes = new Map<string, string>();
  /** Sessions of files that were read and are not settled yet. */
  readonly #touchedProjects = new Set<string>();
  readonly #places = new Map<string | undefined, FoundRepository>();
  #scoredAt: number;

  private constructor(
    store: Store,
    index: TranscriptIndex,
    request: SyncRequest,
    ports: SyncPorts,
    known: Map<string, Known>,
    notes: Map<string, string>,
  ) {
    this.#store = store;
    this.#index = index;
    this.#request = request;
    this.#ports = ports;
    this.#known = known;
    this.#notes = notes;
    // Of two rows of a session that which was scored last stays, also where a clock was put back.
    this.#scoredAt = Math.max(ports.now().getTime(), Number(notes.get('scored') ?? 0) + 1);
  }

  static async begin(store: Store, index: TranscriptIndex, request: SyncRequest, ports: SyncPorts) {
    const known = (await index.list()) as unknown as readonly Known[];
    const notes = new Map(await index.notes());
    return new SyncRun(store, index, request, ports, new Map(known.map((one) => [one.path, one])), notes);
  }

  /** Reads changed files, and writes their sessions as if there were no other file. */
  async read(): Promise<Synced['unreadable']> {
    const { signal } = this.#ports;
    const jobs: { path: string; bytes: number; remember: false }[] = [];
    const stamps = new Map<string, Identity | undefined>();
    const now = this.#ports.now().getTime();
    for (const path of [...new Set(this.#request.files)].sort()) {
      if (jobs.length % 64 === 0) stopIfAborted(signal);
      if (!this.#request.fresh && (await isUnchanged(path, this.#known.get(path), now))) continue;
      stamps.set(path, identityIn(path));
      jobs.push({ path, bytes: bytesOf(path), remember: false });
    }
    const problems = new Map<string, string>();
    let done = 0;
    let batch: FileResult[] = [];
    const flush = async () => {
      const some = batch;
      batch = [];
      await this.#writeFiles(some, stamps);
    };
    await readFiles(
      jobs,
      async ({ path }, { result, problem = 'it could not be read' }) => {
        done += 1;
        this.#ports.progress({ what: 'Reading', done, total: jobs.length, unit: 'files' });
        if (result === undefined) problems.set(path, problem);
        else batch.push(result);
        const runs = batch.reduce((sum, { sessions }) => sum + runsIn(sessions), 0);
        if (batch.length >= ROWS_PER_BATCH || runs >= RUNS_PER_BATCH) await flush();
      },
      { signal },
    );
    await flush();
    return jobs.flatMap(({ path }) => {
      const why = problems.get(path);
      return why === undefined ? [] : [{ path, why }];
    });
  }

  async #writeFiles(
    results: readonly FileResult[],
    stamps: ReadonlyMap<string, Identity | undefined>,
  ): Promise<void> {
    const transcripts: Transcript[] = [];
    const gone: string[] = [];
    for (const { path, sessions, companions, reading, keys } of results) {
      const before = this.#known.get(path);
      const found = sessions.map((facts) => foundIn(facts, reading));
      const stamp = JSON.stringify({ identity: stamps.get(path), companions, readers: readersVersion() });
      const known: Known = {
        path,
        stamp,
        sessions: found,
        isShared: before?.isShared ?? false,
        isSettled: false,
      };
      gone.push(...renamedIn(before?.sessions ?? [], found));
      this.#known.set(path, known);
      transcripts.push({
        ...known,
        sessions: found as unknown as Json,
        reading: reading as unknown as Json,
        keys,
      });
    }
    const stored = results.flatMap(({ sessions, reading: file }) =>
      sessions.map((facts, place) => ({ facts, file, place })),
    );
    await this.#writeSessions(stored);
    await this.#index.write({ transcripts, gone });
  }

  /** With what can be said of their work without asking a repository. */
  async #writeSessions(stored: readonly StoredSession[]): Promise<void> {
    for (let from = 0; from < stored.length; from += ROWS_PER_BATCH) {
      const some = stored.slice(from, from + ROWS_PER_BATCH);
      const outcomes = await this.#judge(
        some.flatMap((one) => (this.#isAsked(one.facts) ? [] : [{ key: keyOf(one), facts: one.facts }])),
      );
      await this.#append(some.map((one) => ({ work: outcomes?.get(keyOf(one)), ...one })));
      for (const { facts } of some) this.#touchedProjects.add(facts.project ?? '');
      await yieldToEventLoop(this.#ports.signal);
    }
  }

  /** Whether the outcome of the session's work has to be read from a repository. */
  #isAsked({ project, sent, written }: SessionFacts): boolean {
    const { repositories } = this.#request;
    if (repositories === undefined || written === undefined) return false;
    const place = this.#places.get(project) ?? findRepository({ project, sent }, repositories);
    this.#places.set(project, place);
    return !('reason' in place);
  }

  async #append(stored: readonly StoredSession[]): Promise<void> {
    if (stored.length === 0) return;
    // A concurrent sync may have begun later and read less: rows written now are dated now.
    this.#scoredAt = Math.max(this.#ports.now().getTime(), this.#scoredAt + 1);
    const scoredAt = new Date(this.#scoredAt).toISOString();
    const rows = stored.map((read) => {
      const one = { ...read, ...verificationIn(this.#notes.get(verificationName(keyOf(read)))) };
      return sessionRow({ ...one, session: scoreStored(one, this.#request.scoring) }, scoredAt);
    });
    // Of a session that two files of the batch have, the later one stays.
    await this.#store.appendSessions([...new Map(rows.map((row) => [row.sessionKey, row])).values()]);
  }

  /** An entry that several files have counts for one of them. */
  async resolve(): Promise<void> {
    const unsettled = this.#unsettled();
    if (unsettled.length === 0) return;
    const all = [...this.#known.values()];
    const keys = await this.#index.keys();
    const moved = this.#moved();
    const entries = all
      .filter(({ path }) => !moved.has(path))
      .map(({ path, sessions }) => ({ path, sessions, keys: keys.get(path) ?? NO_KEYS }));
    const groups = resolveDuplicates(entries);
    const shared = new Set(groups.flatMap(({ files }) => files.map(({ path }) => path)));
    const isOpen = (path: string) => this.#known.get(path)?.isSettled === false;
    for (const group of groups)
      if (group.files.some(({ path }) => isOpen(path) || this.#known.get(path)?.isShared !== true))
        await this.#writeShared(group);
    // What was shared with a file that has changed is the file's own again.
    const alone = all.filter(({ path, isShared }) => isShared && !shared.has(path) && !isOpen(path));
    for (const { path } of alone) {
      if (!existsSync(path)) continue;
      const { readFile } = await import('./session/ingest/reading/read-file.ts');
      const stamps = new Map([[path, identityIn(path)]]);
      this.#mark(path, { isShared: false });
      await this.#writeFiles([await readFile(path)], stamps);
    }
    await this.#removePrinted();
  }

  /** Files that no longer exist and whose sessions are in other files: they own nothing. */
  #moved(): ReadonlySet<string> {
    const found = new Set(this.#request.files);
    const isThere = ({ path }: Known) => found.has(path) || path === STANDARD_INPUT || existsSync(path);
    const { there = [], gone = [] } = Object.groupBy(this.#known.values(), (one) =>
      isThere(one) ? 'there' : 'gone',
    );
    const keys = new Set(there.flatMap(({ sessions }) => sessions.map(({ key }) => key)));
    const isMoved = ({ sessions }: Known) => sessions.every(({ key }) => keys.has(key));
    return new Set(gone.filter(isMoved).map(({ path }) => path));
  }

  async #writeShared(group: ReturnType<typeof resolveDuplicates>[number]): Promise<void> {
    const files = group.files.filter(({ path }) => path === STANDARD_INPUT || existsSync(path));
    const { readShared } = await import('./session/ingest/duplicates/read-shared.ts');
    const left = await readShared({ ...group, files });
    const readings = await this.#index.readings();
    const written: StoredSession[] = [];
    for (const [path, sessions] of left) {
      const file = (readings.get(path) ?? emptyReading(path)) as unknown as FileReading;
      written.push(...sessions.map((facts, place) => ({ facts, file, place })));
    }
    await this.#writeSessions(written);
    const found = new Map(written.map((one) => [keyOf(one), foundIn(one.facts, one.file)]));
    const gone: string[] = [];
    for (const { path } of files) {
      const sessions = (this.#known.get(path)?.sessions ?? []).map((one): Found => {
        const own = found.get(one.key);
        if (own === undefined) gone.push(one.key);
        return { ...one, child: own?.child, isElsewhere: own === undefined };
      });
      this.#mark(path, { isShared: true, sessions });
    }
    await this.#index.write({ gone });
  }

  /** What a run printed counts in the store of its agent alone. */
  async #removePrinted(): Promise<void> {
    const all = [...this.#known.values()];
    const gone: string[] = [];
    for (const [path, left] of withoutPrinted(all)) {
      const keys = new Set(left.map(({ key }) => key));
      const sessions = (this.#known.get(path)?.sessions ?? []).map((one): Found => {
        if (keys.has(one.key)) return one;
        gone.push(one.key);
        return { ...one, isElsewhere: true };
      });
      this.#mark(path, { sessions });
    }
    await this.#index.write({ gone });
  }

  /** The results of sub-agents count for their parent. */
  async passOnToParents(): Promise<void> {
    if (this.#unsettled().length === 0) return;
    const delegated = new Map<string, Delegated>();
    const all = [...this.#known.values()].flatMap(({ sessions }) =>
      sessions.filter(({ isElsewhere }) => !isElsewhere),
    );
    // A session that several files have is one child.
    for (const { source, parentSessionId, child } of new Map(all.map((one) => [one.key, one])).values())
      if (child !== undefined && parentSessionId !== undefined)
        addDelegated(delegated, nameOf(source, parentSessionId), child);
    const changed = all.flatMap((one) => {
      const now = delegated.get(nameOf(one.source, one.sessionId));
      return JSON.stringify(now) === JSON.stringify(one.delegated)
        ? []
        : [[one.key, { delegated: now }] as const];
    });
    await this.#rewrite(new Map(changed));
    const touched = new Set(changed.map(([key]) => key));
    for (const { path, sessions } of this.#known.values())
      if (sessions.some(({ key }) => touched.has(key)))
        this.#mark(path, {
          sessions: sessions.map((one) => ({
            ...one,
            delegated: delegated.get(nameOf(one.source, one.sessionId)),
          })),
        });
  }

  /** Reads the outcomes of sessions that changed, and of those whose repository changed. */
  async askRepositories(): Promise<Pick<Synced, 'repositoryTrouble'>> {
    const { repositories } = this.#request;
    if (repositories === undefined) return {};
    for (const { sessions } of this.#unsettled())
      for (const { project } of sessions) this.#touchedProjects.add(project ?? '');
    const found = await this.#store.sessionRollup({ by: ['project'] });
    const folders = new Map<string, (string | undefined)[]>();
    for (const { project } of found.map(({ group }) => group)) {
      const place = findRepository({ project }, repositories);
      if ('reason' in place) continue;
      folders.set(place.folder, [...(folders.get(place.folder) ?? []), project]);
    }
    const troubles: RepositoryTrouble[] = [];
    let done = 0;
    for (const [folder, projects] of folders) {
      stopIfAborted(this.#ports.signal);
      const known = noteIn(this.#notes.get(noteName(folder)));
      const stamp = JSON.stringify([stampOfRepository(folder), projects.toSorted()]);
      const isOld =
        known?.stamp !== stamp || (known.next ?? Number.POSITIVE_INFINITY) <= this.#ports.now().getTime();
      const isTouched = projects.some((project) => this.#touchedProjects.has(project ?? ''));
      const note = isOld || isTouched ? { stamp, ...(await this.#askRepository(projects)) } : known;
      if (note.trouble !== undefined) troubles.push(note.trouble);
      if (note !== known) this.#newNotes.set(noteName(folder), JSON.stringify(note));
      done += 1;
      this.#ports.progress({ what: 'Asking repositories', done, total: folders.size, unit: 'repositories' });
    }
    const [most] = troubles.toSorted((a, b) => b.sessions - a.sessions);
    const sessions = troubles.reduce((sum, one) => sum + one.sessions, 0);
    return most === undefined ? {} : { repositoryTrouble: { ...most, sessions } };
  }

  /** Of two sessions that wrote a line the last one counts, so that all of a repository are judged together. */
  async #askRepository(projects: readonly (string | undefined)[]): Promise<Omit<RepositoryNote, 'stamp'>> {
    const known: KnownSession[] = [];
    const before = new Map<string, string>();
    for (const project of projects) {
      const narrowed = project === undefined ? {} : { project };
      for await (const row of this.#store.readSessions({ ...narrowed, onDamage: () => {} })) {
        stopIfAborted(this.#ports.signal);
        const { facts, work } = storedIn(row);
        // What was sent to a server is judged there.
        if (facts.project !== project || facts.sent !== undefined) continue;
        known.push({ key: row.sessionKey, facts: { ...facts, runs: facts.runs.map(withTimes) } });
        before.set(row.sessionKey, contentHash(work ?? null));
      }
    }
    const judged = (await this.#judge(known)) ?? new Map<string, WorkOutcome>();
    const changed = [...judged].filter(([key, work]) => before.get(key) !== contentHash(work));
    await this.#rewrite(new Map(changed.map(([key, work]) => [key, { work }])));
    const next = [...judged.values()].flatMap((work) => measurableFrom(work) ?? []);
    const { repositoryTrouble: trouble } = repositoryTrouble(judged);
    return {
      ...(next.length > 0 && { next: next.reduce((least, at) => Math.min(least, at)) }),
      ...(trouble !== undefined && { trouble }),
    };
  }

  async #judge(sessions: readonly KnownSession[]): Promise<ReadonlyMap<string, WorkOutcome> | undefined> {
    const { repositories } = this.#request;
    if (repositories === undefined || sessions.length === 0) return undefined;
    const { judgeWork } = await import('./session/outcomes/judge-work.ts');
    return judgeWork(sessions, { ...repositories, signal: this.#ports.signal });
  }

  /** Scores again rows that were scored with another scorer version, prices or settings. */
  async scoreAgain(): Promise<void> {
    const { scoring } = this.#request;
    const wanted = scoredWith(scoring);
    const isWanted = (one: ScoredWith) => SCORED_WITH.every((name) => one[name] === wanted[name]);
    const scorings = await this.#store.sessionScorings();
    const types = await this.#otherTypes();
    const total = scorings.reduce((sum, one) => sum + (isWanted(one) ? 0 : one.sessions), 0);
    if (total === 0 && types === undefined) return;
    let batch: SessionRow[] = [];
    let done = 0;
    const flush = async () => {
      await this.#append(batch.map(storedIn));
      done += batch.length;
      batch = [];
      this.#ports.progress({ what: 'Scoring again', done, total, unit: 'sessions' });
      await yieldToEventLoop(this.#ports.signal);
    };
    for await (const row of this.#store.readSessions({ onDamage: () => {} })) {
      if (isWanted(row) && types?.(row) !== true) continue;
      batch.push(row);
      if (batch.length === ROWS_PER_BATCH) await flush();
    }
    await flush();
  }

  /** Sessions whose agent now has another task type in the configuration. */
  async #otherTypes(): Promise<((row: SessionRow) => boolean) | undefined> {
    const { taskTypeOf } = this.#request.scoring;
    if (taskTypeOf === undefined || taskTypeOf.size === 0) return undefined;
    const isOther = ({
      agent,
      source = '',
      taskType,
    }: {
      agent?: string;
      source?: string;
      taskType?: string;
    }) => {
      const wanted = taskTypeOf.get(agent ?? '') ?? taskTypeOf.get(source);
      return wanted !== undefined && wanted !== taskType;
    };
    const groups = await this.#store.sessionRollup({ by: ['agent', 'source', 'taskType'] });
    return groups.some(({ group }) => isOther(group)) ? isOther : undefined;
  }

  /** What checks said of sessions, and of trees. */
  async noteChecks({ verifications, trees }: CheckNotes): Promise<void> {
    const named = [...verifications].map(
      ([key, one]) => [verificationName(key), JSON.stringify(one)] as const,
    );
    for (const [name, text] of named) this.#notes.set(name, text);
    const seen = [...trees].map(([name, counts]) => [`${CHECKED}${name}`, JSON.stringify(counts)] as const);
    await this.#index.write({ notes: new Map([...named, ...seen]) });
    await this.#rewrite(new Map([...verifications].map(([key]) => [key, {}])));
    await this.settle();
  }

  async #rewrite(patches: ReadonlyMap<string, Partial<StoredSession>>): Promise<void> {
    const all = [...patches];
    for (let from = 0; from < all.length; from += ROWS_PER_BATCH) {
      const some: StoredSession[] = [];
      for (const [key, patch] of all.slice(from, from + ROWS_PER_BATCH)) {
        const row = await this.#store.readSession(key);
        if (row !== undefined) some.push({ ...storedIn(row), ...patch });
      }
      await this.#append(some);
      await yieldToEventLoop(this.#ports.signal);
    }
  }

  /** Files that this sync or a dead one read, or that need another update. */
  async settle(): Promise<void> {
    const settled = this.#unsettled().map(({ sessions, ...one }) => ({
      ...one,
      sessions: sessions as unknown as Json,
    }));
    if (settled.length === 0 && this.#newNotes.size === 0) return;
    const notes = new Map([...this.#newNotes, ['scored', String(this.#scoredAt)] as const]);
    await this.#index.write({ settled, notes });
  }

  #unsettled(): readonly Known[] {
    return [...this.#known.values()].filter(({ isSettled }) => !isSettled);
  }

  #mark(path: string, change: Partial<Known>): void {
    const known = this.#known.get(path);
    if (known !== undefined) this.#known.set(path, { ...known, ...change, isSettled: false });
  }
}

export type CheckNotes = {
  /** By the key of the session. */
  readonly verifications: ReadonlyMap<string, Verification>;
  /** By tree and command. */
  readonly trees: ReadonlyMap<string, CheckCounts>;
};

const CHECKED = 'checked ';
const verificationName = (key: string): string => `verified ${key}`;

function verificationIn(note: string | undefined): { readonly verification?: Verification } {
  return note === undefined ? {} : { verification: JSON.parse(note) };
}

/** What the checks of projects said, so that it stays where transcripts are read again. */
export async function noteChecks(
  store: Store,
  notes: CheckNotes,
  scoring: SessionOptions,
  ports: SyncPorts,
): Promise<void> {
  const run = await SyncRun.begin(store, indexOf(store), { files: [], scoring }, ports);
  await run.noteChecks(notes);
}

/** Key of a session → what the check of its project said. */
export async function storedVerifications({
  transcripts,
}: Store): Promise<ReadonlyMap<string, Verification>> {
  const notes = [...((await transcripts?.notes()) ?? [])];
  const start = verificationName('');
  return new Map(
    notes.flatMap(([name, text]) =>
      name.startsWith(start) ? [[name.slice(start.length), JSON.parse(text)] as const] : [],
    ),
  );
}

/** Tree and command → what the check said when it was run there. */
export async function checkedTrees(store: Store): Promise<Map<string, CheckCounts>> {
  const notes = [...(await indexOf(store).notes())];
  return new Map(
    notes.flatMap(([name, text]) =>
      name.startsWith(CHECKED) ? [[name.slice(CHECKED.length), JSON.parse(text)] as const] : [],
    ),
  );
}

function indexOf({ transcripts }: Store): TranscriptIndex {
  if (transcripts === undefined) throw new Error('this store has no index of transcripts');
  return transcripts;
}

const NO_KEYS = new Float64Array();
const SCORED_WITH = ['scorerVersion', 'weights', 'baselineSet', 'prices'] as const;

/** What rows say that they were scored with. */
export function scoredWith({ weights, intents, baselines, prices }: SessionOptions): Required<ScoredWith> {
  const { name } = weights ?? DOCUMENTED_WEIGHTS;
  return {
    scorerVersion: SCORER_VERSION,
    weights: intents === undefined ? name : `${name}+${intents.name}`,
    baselineSet: (baselines ?? SHIPPED_BASELINES).name,
    prices: prices?.name ?? 'none',
  };
}

export function storedIn({ facts, place }: Pick<SessionRow, 'facts' | 'place'>): StoredSession {
  // The scorer wrote them.
  return { ...(facts as unknown as StoredSession), place };
}

/** Facts are plain data, and hold no text of the transcript. */
export function sessionRow(full: FullSession, scoredAt: string): SessionRow {
  const { session, facts, file, work, verification, delegated, place } = full;
  const { sessionKey, ...columns } = storedColumns(full);
  const { statements, attention } = seenIn(session, facts);
  const otherModels = [...new Set(session.models.filter((name) => name !== session.model))].sort();
  const row = {
    ...columns,
    ...(session.costIsLowerBound === true && { costAtLeast: 1 }),
    ...(otherModels.length > 0 && { otherModels: otherModels.join('\n') }),
    attention,
    receipts: JSON.stringify(statements),
    ...(session.instance !== undefined && { instance: session.instance }),
    ...(place !== undefined && { place }),
    ...(session.transcriptQ !== undefined && { transcriptQ: session.transcriptQ }),
    ...taskOf(facts),
    facts: {
      facts,
      file,
      ...(work && { work }),
      ...(verification && { verification }),
      ...(delegated && { delegated }),
    } as unknown as Json,
  };
  return { ...row, sessionKey, revision: contentHash(row), scoredAt };
}

/** What a benchmark calls it, or what it was asked first. */
function taskOf({ instance, runs }: SessionFacts): { readonly task?: string } {
  const task =
    instance ?? runs.find(({ requestHash }) => requestHash !== undefined)?.requestHash?.toString(36);
  return task === undefined ? {} : { task };
}

function runsIn(sessions: readonly SessionFacts[]): number {
  return sessions.reduce((sum, { runs }) => sum + runs.length, 0);
}

function foundIn(facts: SessionFacts, file: FileReading): Found {
  const parents = new Map<string, Delegated>();
  noteDelegated(parents, facts);
  const [child] = parents.values();
  const { project } = facts;
  const last = facts.runs.at(-1);
  return {
    ...foundSession(facts),
    key: keyOfSession(facts, file),
    ...(last?.end === 'open' && { openSince: last.endedAt }),
    ...(project !== undefined && { project }),
    ...(child !== undefined && { child }),
  };
}

/** Keys that sessions of a file had before; sessions that are in it no more stay in the store. */
function renamedIn(before: readonly Found[], now: readonly Found[]): string[] {
  const keys = new Set(now.map(({ key }) => key));
  const names = new Set(now.map(({ source, sessionId }) => nameOf(source, sessionId)));
  return before.flatMap(({ key, source, sessionId }) =>
    !keys.has(key) && names.has(nameOf(source, sessionId)) ? [key] : [],
  );
}

function addDelegated(found: Map<string, Delegated>, name: string, more: Delegated): void {
  const { spawned = 0, completed = 0, failed = 0 } = found.get(name) ?? {};
  found.set(name, {
    spawned: spawned + more.spawned,
    completed: completed + more.completed,
    failed: failed + more.failed,
  });
}

async function isUnchanged(path: string, known: Known | undefined, now: number): Promise<boolean> {
  if (known === undefined || path === STANDARD_INPUT) return false;
  const { identity, companions, readers } = JSON.parse(known.stamp) as Stamp;
  if (identity === undefined || readers !== readersVersion()) return false;
  // What was open then is over by now.
  const isOver = ({ openSince }: Found) => openSince !== undefined && now - openSince > SILENCE_MS;
  if (known.sessions.some(isOver)) return false;
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return false;
    if (!isUntouched(identity, stats) && !isSameFile(path, identity, identityOf(path))) return false;
    return (await companionsOf(path, known.sessions[0]?.source)) === companions;
  } catch {
    // Reading it reports the error.
    return false;
  }
}

function identityIn(path: string): Identity | undefined {
  try {
    return path === STANDARD_INPUT ? undefined : identityOf(path);
  } catch {
    return undefined;
  }
}

function emptyReading(path: string): FileReading {
  return { path, lines: 0, skipped: {}, unknownRecords: {} };
}

/** The part of a run that a repository check needs. */
function withTimes({ startedAt }: SessionFacts['runs'][number]): SessionFacts['runs'][number] {
  return { startedAt } as SessionFacts['runs'][number];
}

type RepositoryNote = {
  readonly stamp: string;
  /** When it can tell more without a change in the repository. */
  readonly next?: number;
  readonly trouble?: RepositoryTrouble;
};

function noteName(folder: string): string {
  return `repository ${folder}`;
}

function noteIn(text: string | undefined): RepositoryNote | undefined {
  return text === undefined ? undefined : JSON.parse(text);
}

/** Changes when a branch moves: seen from its files, so that git is not started for each. */
function stampOfRepository(folder: string): string {
  const git = join(folder, '.git');
  if (statSync(git, { throwIfNoEntry: false })?.isDirectory() !== true) return `unknown ${Date.now()}`;
  const refs = existsSync(join(git, 'refs')) ? readdirSync(join(git, 'refs'), { recursive: true }) : [];
  const names = [
    'HEAD',
    'packed-refs',
    'reftable',
    'worktrees',
    ...refs.map((name) => join('refs', String(name))),
  ];
  return names
    .sort()
    .map((name) => `${name} ${statSync(join(git, name), { throwIfNoEntry: false })?.mtimeMs ?? '-'}`)
    .join('\n');
}
