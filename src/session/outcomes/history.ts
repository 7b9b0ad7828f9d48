/** The history of a repository, as far as it is compared with sessions. Times are milliseconds since 1970, UTC. */

export type Commit = {
  readonly sha: string;
  readonly parents: number;
  readonly authoredAt: number;
  readonly at: number;
  /** `subjectHash` of its first line. */
  readonly subject: number;
};

/** A line added to a file, or removed from it. */
export type LineEvent = {
  readonly commit: Commit;
  readonly came: boolean;
  /** The hash of the line, independent of the file. */
  readonly anywhere: number;
};

/** A file through all its names → hash of a line → its events, oldest first. */
export type LineEvents = ReadonlyMap<number, ReadonlyMap<number, readonly LineEvent[]>>;

/** Another tool's statement that a commit is the work of a session: the strongest evidence. */
export type Attribution = { readonly sessionId: string; readonly by: 'git-ai note' | 'commit trailer' };

export type History = {
  readonly repository: string;
  readonly defaultBranch: string;
  /** The head of the default branch, and the times of the last commits, on all branches and on the default branch. */
  readonly head: string;
  readonly until: number;
  readonly untilOnDefault: number;
  readonly commits: readonly Commit[];
  /** Commits that the default branch contains. */
  readonly onDefault: ReadonlySet<string>;
  /** Commits that a later commit on the default branch reverts; reverting the revert undoes that. */
  readonly reverted: ReadonlySet<string>;
  /** Reverted by commits of other branches, which do not affect the default branch. */
  readonly revertedElsewhere: ReadonlySet<string>;
  readonly attributions: ReadonlyMap<string, readonly Attribution[]>;
  /** Merges → the files with resolved conflicts: they differ from all parents. */
  readonly settled: ReadonlyMap<string, ReadonlySet<number>>;
  /** The file that may have this path (`pathEnds`). */
  readonly fileOf: (ends: readonly number[]) => number | undefined;
  /** The file is ignored by git or in a submodule: this history says nothing about it. */
  readonly isIgnored: (ends: readonly number[]) => boolean;
  /** Lines that exist at the start of this history. */
  readonly base: ReadonlyMap<number, ReadonlySet<number>>;
  /** On all branches, and on the default branch. */
  readonly lines: LineEvents;
  readonly mainLines: LineEvents;
  /** How distinctive a line is, 0–1, by its hash. */
  readonly weights: ReadonlyMap<number, number>;
};

/** A rebased, picked or re-merged commit keeps its author time and subject, so its duplicates form one group. */
export function groupOf({ authoredAt, subject }: Commit): string {
  return `${authoredAt} ${subject}`;
}

/** Shorter prefixes do not identify a commit. */
const LEAST_NAME = 7;

/**
 * Whether one of the names, which may be abbreviated, is that of the commit. Each length is tried once, however many
 * names there are.
 */
export function isNamedIn(names: ReadonlySet<string>, sha: string): boolean {
  if (names.size === 0) return false;
  for (let length = LEAST_NAME; length <= sha.length; length++)
    if (names.has(sha.slice(0, length))) return true;
  return false;
}
