/**
 * The same entry in several files counts once: checkpoints, backups and archives repeat a transcript, a resumed or forked
 * session begins with a copy of another one's history. An entry belongs to the file that began first. Which file owns an
 * entry depends on the files alone, never on the order in which they were read.
 */
import type { SessionFacts } from '../../evidence.ts';
import { FORMATS } from '../formats/formats.ts';

/** What resolving needs to know of a session. */
export type FoundSession = Pick<SessionFacts, 'source' | 'sessionId' | 'agent' | 'parentSessionId'> & {
  readonly startedAt?: number | undefined;
};

export type FileEntries = {
  readonly path: string;
  /** Hashed identities of its entries, each once. */
  readonly keys: Float64Array;
  readonly sessions: readonly FoundSession[];
};

/** Files that share entries, in the order of ownership: each owns what none before it owns. */
export type SharedEntries = {
  readonly files: readonly FileEntries[];
  /** Entries of a path that an earlier path owns. Absent: it owns all of its own. */
  readonly duplicates: ReadonlyMap<string, ReadonlySet<number>>;
  /** Paths of which nothing is left. */
  readonly redundant: ReadonlySet<string>;
};

export function foundSession(facts: SessionFacts): FoundSession {
  const { source, sessionId, agent, parentSessionId, runs } = facts;
  const startedAt = runs.reduce(
    (least, run) => Math.min(least, run.startedAt ?? least),
    Number.POSITIVE_INFINITY,
  );
  return {
    source,
    sessionId,
    agent,
    parentSessionId,
    startedAt: Number.isFinite(startedAt) ? startedAt : undefined,
  };
}

export function resolveDuplicates(files: readonly FileEntries[]): SharedEntries[] {
  const shared = sharedKeys(files);
  if (shared.size === 0) return [];
  return groupsSharing(files, shared).map((group) => owned(group, shared));
}

/** Keys that at least two files have. */
function sharedKeys(files: readonly FileEntries[]): Set<number> {
  const all = new Float64Array(files.reduce((sum, { keys }) => sum + keys.length, 0));
  let at = 0;
  for (const { keys } of files) {
    all.set(keys, at);
    at += keys.length;
  }
  all.sort();
  const shared = new Set<number>();
  for (let i = 1; i < all.length; i++) if (all[i] === all[i - 1]) shared.add(all[i] as number);
  return shared;
}

/** Groups of files that are connected by shared keys. */
function groupsSharing(files: readonly FileEntries[], shared: ReadonlySet<number>): FileEntries[][] {
  const above = files.map((_, index) => index);
  const rootOf = (start: number): number => {
    let index = start;
    while (above[index] !== index) {
      above[index] = above[above[index] as number] as number;
      index = above[index] as number;
    }
    return index;
  };
  const firstWith = new Map<number, number>();
  const isSharing = files.map(({ keys }, index) => {
    const own = keys.filter((key) => shared.has(key));
    for (const key of own) {
      const first = firstWith.get(key);
      if (first === undefined) firstWith.set(key, index);
      else above[rootOf(index)] = rootOf(first);
    }
    return own.length > 0;
  });
  const sharing = files.map((_, index) => index).filter((index) => isSharing[index]);
  const groups = Map.groupBy(sharing, rootOf);
  return [...groups.values()].map((group) => group.map((index) => files[index] as FileEntries));
}

function owned(group: readonly FileEntries[], shared: ReadonlySet<number>): SharedEntries {
  const files = group.toSorted(compareOwners);
  const taken = new Set<number>();
  const duplicates = new Map<string, ReadonlySet<number>>();
  const redundant = new Set<string>();
  for (const { path, keys } of files) {
    const own = keys.filter((key) => shared.has(key));
    const lost = new Set(own.filter((key) => taken.has(key)));
    if (lost.size > 0) duplicates.set(path, lost);
    if (lost.size > 0 && lost.size === keys.length) redundant.add(path);
    for (const key of own) taken.add(key);
  }
  return { files, duplicates, redundant };
}

/** The file that began first. A copied beginning has the same time: then the original, then the first by path. */
function compareOwners(a: FileEntries, b: FileEntries): number {
  return startOf(a) - startOf(b) || copyRank(a) - copyRank(b) || (a.path < b.path ? -1 : 1);
}

/** Without a time it sorts last. A large number, because infinities cannot be subtracted. */
export function startOf({ sessions }: Pick<FileEntries, 'sessions'>): number {
  return sessions.reduce(
    (least, { startedAt }) => Math.min(least, startedAt ?? least),
    Number.MAX_SAFE_INTEGER,
  );
}

/** A session that descends from another may begin with its entries; some agents name their own backups and archives. */
function copyRank({ path, sessions }: FileEntries): number {
  if (FORMATS.some(({ isCopy }) => isCopy?.(path))) return 2;
  return sessions[0]?.parentSessionId === undefined ? 0 : 1;
}
