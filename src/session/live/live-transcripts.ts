/**
 * Many growing transcripts. Reads what was appended, and returns the affected files as a reading of all files would.
 */

import { statSync } from 'node:fs';
import type { SessionFacts } from '../evidence.ts';
import { hashKey } from '../ingest/duplicates/entry-keys.ts';
import { withoutDuplicates } from '../ingest/read-all.ts';
import { findRepository, type RepositoryRules } from '../outcomes/find-repository.ts';
import { yieldToEventLoop } from '../stop-if-aborted.ts';
import { type FollowedFile, followFile } from './followed-file.ts';
import { RelatedFiles } from './related-files.ts';
import {
  followStream,
  openStream,
  pathOfStream,
  type StreamSource,
  type StreamState,
  senderOf,
} from './sent-streams.ts';

export type LiveFile = Pick<FollowedFile, 'path' | 'sessions' | 'reading' | 'changedAt'>;

export type LiveOptions = {
  /**
   * Repository rules: sessions that worked in one repository affect each other. Undefined: repositories are not read.
   */
  readonly repositories?: RepositoryRules | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The source of sent streams. */
  readonly streams?: StreamSource | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly clock?: () => number;
  /** The number of files with a resumable position; others are read from the start. */
  readonly mostGoing?: number;
};

/** What a file that is read whole may take of the time; where it was left in a growing one takes about 100 kB. */
const WHOLE_SHARE = 0.05;
const MOST_GOING = 1000;

export class LiveTranscripts {
  readonly #files = new Map<string, FollowedFile>();
  /** Files with a place to go on from: the one untouched for longest is the first. */
  readonly #going = new Set<string>();
  /** When a file that is read whole may be read again. */
  readonly #restUntil = new Map<string, number>();
  readonly #related = new RelatedFiles();
  readonly #options: LiveOptions;
  readonly #projects = new Map<string, number | undefined>();
  /** What was sent, by path. */
  readonly #streams = new Map<string, StreamState>();

  constructor(options: LiveOptions = {}) {
    this.#options = options;
  }

  /** What there is of these streams now. */
  addStreams(streams: readonly StreamState[]): void {
    for (const one of streams) {
      if (one.parts > 0) this.#streams.set(pathOfStream(one), one);
      else this.#streams.delete(pathOfStream(one));
    }
  }

  /** By path: when the store received the latest part. */
  receivedAt(path: string): number | undefined {
    return this.#streams.get(path)?.receivedAt;
  }

  get streamPaths(): readonly string[] {
    return [...this.#streams.keys()];
  }

  /** Reads everything once; afterwards only what is appended. */
  async begin(paths: readonly string[]): Promise<void> {
    for (const path of this.#byTime(paths)) {
      await yieldToEventLoop(this.#options.signal);
      await this.#tryFollow(path);
    }
  }

  /**
   * Which of these files changed. `verify`: by all their bytes, not only by their times and their last bytes. `later`: those
   * that have to be read whole and were a moment ago, with the milliseconds until they may be.
   */
  async update(
    paths: Iterable<string>,
    options: { readonly verify?: boolean; readonly now?: ReadonlySet<string> } = {},
  ): Promise<{ readonly changed: readonly string[]; readonly later: ReadonlyMap<string, number> }> {
    const changed: string[] = [];
    const later = new Map<string, number>();
    for (const path of new Set(paths)) {
      const rest = (this.#restUntil.get(path) ?? 0) - this.#clock();
      if (rest > 0 && !options.verify && !options.now?.has(path)) later.set(path, rest);
      else if (await this.#tryFollow(path, options)) changed.push(path);
    }
    return { changed, later };
  }

  changedAt(path: string): number | undefined {
    return this.#files.get(path)?.changedAt;
  }

  /** Files of one number concern each other. */
  groupOf(path: string): number {
    return this.#related.groupOf(path);
  }

  /** These files, and all files with affected sessions, as a reading of all files returns them. */
  async related(paths: Iterable<string>): Promise<LiveFile[]> {
    const group = this.#related.with(paths).flatMap((path) => this.#files.get(path) ?? []);
    if (group.length < 2) return group;
    const { streams } = this.#options;
    const left = await withoutDuplicates(
      group.map(({ path, sessions, keys }) => ({ path, sessions, keys: keys.all() })),
      undefined,
      streams && ((path) => openStream(streams, path)),
    );
    return group.map((file) => ({ ...file, sessions: left.get(file.path) ?? file.sessions }));
  }

  async #tryFollow(path: string, options: { readonly verify?: boolean } = {}): Promise<boolean> {
    const before = this.#files.get(path);
    const start = this.#clock();
    const now = await this.#follow(path, before, options).catch(() => undefined);
    if (now === before) return false;
    const took = this.#clock() - start;
    if (now === undefined || now.left !== undefined || now.leftStream !== undefined)
      this.#restUntil.delete(path);
    else this.#restUntil.set(path, start + took / WHOLE_SHARE);
    if (now === undefined) this.#files.delete(path);
    else this.#add(now);
    return true;
  }

  #follow(
    path: string,
    before: FollowedFile | undefined,
    options: { readonly verify?: boolean },
  ): Promise<FollowedFile | undefined> {
    const { streams } = this.#options;
    const stream = this.#streams.get(path);
    if (streams !== undefined && stream !== undefined) return followStream(stream, before, streams);
    return followFile(path, before, options);
  }

  /** What was written last comes last. */
  #byTime(paths: readonly string[]): readonly string[] {
    const timeOf = (path: string) =>
      this.receivedAt(path) ?? statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const times = new Map(paths.map((path) => [path, timeOf(path)] as const));
    return paths.toSorted((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0));
  }

  #clock(): number {
    return this.#options.clock?.() ?? performance.now();
  }

  #add(file: FollowedFile): void {
    this.#files.set(file.path, file);
    this.#goOn(file);
    this.#relate(file.path, file.added);
    this.#relate(file.path, this.#namesIn(file));
  }

  #relate(path: string, names: Iterable<number>): void {
    // Those of two projects never concern each other, whatever is in them.
    const owner = senderOf(path)?.project;
    const own = function* () {
      for (const name of names) yield owner === undefined ? name : hashKey(`of ${owner}\n${name}`);
    };
    this.#related.relate(path, own());
  }

  /** A server runs for months, so resumable positions of idle sessions are dropped. */
  #goOn({ path, left, leftStream }: FollowedFile): void {
    this.#going.delete(path);
    if (left !== undefined || leftStream !== undefined) this.#going.add(path);
    const [longest] = this.#going;
    if (this.#going.size <= (this.#options.mostGoing ?? MOST_GOING) || longest === undefined) return;
    this.#going.delete(longest);
    const file = this.#files.get(longest);
    if (file !== undefined) this.#files.set(longest, { ...file, left: undefined, leftStream: undefined });
  }

  *#namesIn({ path, sessions }: FollowedFile): Generator<number> {
    const sent = senderOf(path);
    for (const facts of sessions) {
      yield* idsOf(facts);
      const repository = this.#repositoryOf(facts, sent);
      if (repository !== undefined) yield repository;
    }
  }

  #repositoryOf({ project, written }: SessionFacts, sent: SessionFacts['sent']): number | undefined {
    const { repositories } = this.#options;
    if (repositories === undefined || written === undefined || project === undefined) return undefined;
    const key = JSON.stringify([project, sent]);
    if (!this.#projects.has(key)) {
      const found = findRepository({ project, sent }, repositories);
      this.#projects.set(key, 'reason' in found ? undefined : hashKey(`in ${found.folder}`));
    }
    return this.#projects.get(key);
  }
}

/** By what sessions in other files may mean this one: under these names parents, children and exports are looked for. */
function* idsOf({ source, agent, sessionId, parentSessionId }: SessionFacts): Generator<number> {
  for (const id of [sessionId, parentSessionId]) {
    if (id === undefined) continue;
    yield hashKey(`${source}\n${id}`);
    yield hashKey(id.length >= LONG_ID_CHARS ? id : `by ${agent ?? ''}\n${id}`);
  }
}

/** Ids of this length are globally unique. */
const LONG_ID_CHARS = 32;
