/** The history of a repository, as far as it is compared with what sessions wrote. Times are milliseconds since 1970, UTC. */

export type Commit = {
  readonly sha: string;
  readonly parents: number;
  readonly authoredAt: number;
  readonly at: number;
  /** `subjectHash` of its first line. */
  readonly subject: number;
};

/** A line that came into a file, or went out of it. */
export type LineEvent = {
  readonly commit: Commit;
  readonly came: boolean;
  /** The number of the line in whatever file. */
  readonly anywhere: number;
};

/** A file through all its names → number of a line → what happened to it, oldest first. */
export type LineEvents = ReadonlyMap<number, ReadonlyMap<number, readonly LineEvent[]>>;

/** Who else says that a commit is the work of a session: the strongest evidence there is. */
export type Attribution = { readonly sessionId: string; readonly by: 'git-ai note' | 'commit trailer' };

export type History = {
  readonly repository: string;
  readonly defaultBranch: string;
  /** The commit that the default branch stands at, and how far the history goes. */
  readonly head: string;
  readonly until: number;
  readonly untilOnDefault: number;
  readonly commits: readonly Commit[];
  /** Commits that the default branch contains. */
  readonly onDefault: ReadonlySet<string>;
  /** Commits that a later one on the default branch says it reverts; a revert of the revert takes it back. */
  readonly reverted: ReadonlySet<string>;
  /** The same by commits of other branches, which take nothing back from the default one. */
  readonly revertedElsewhere: ReadonlySet<string>;
  readonly attributions: ReadonlyMap<string, readonly Attribution[]>;
  /** Merges → the files that were settled in them: other than all their parents had them. */
  readonly settled: ReadonlyMap<string, ReadonlySet<number>>;
  /** The files that may be the one with this path (`pathEnds`). */
  readonly fileOf: (ends: readonly number[]) => number | undefined;
  /** The repository is told to leave such a file out, or it is in a submodule: this history says nothing about it. */
  readonly isIgnored: (ends: readonly number[]) => boolean;
  /** Lines that were there when this history begins. */
  readonly base: ReadonlyMap<number, ReadonlySet<number>>;
  /** On all branches, and as the default branch saw it. */
  readonly lines: LineEvents;
  readonly mainLines: LineEvents;
  /** How much a line says, 0–1; by its number. */
  readonly weights: ReadonlyMap<number, number>;
};

/** A commit that was moved, picked or merged anew keeps its author's time and its subject: copies are one. */
export function groupOf({ authoredAt, subject }: Commit): string {
  return `${authoredAt} ${subject}`;
}

/** Shorter beginnings of the name of a commit are not taken for one. */
const LEAST_NAME = 7;

/** Whether one of the names, which may be cut short, is that of the commit: each length once, however many names. */
export function isNamedIn(names: ReadonlySet<string>, sha: string): boolean {
  if (names.size === 0) return false;
  for (let length = LEAST_NAME; length <= sha.length; length++)
    if (names.has(sha.slice(0, length))) return true;
  return false;
}
