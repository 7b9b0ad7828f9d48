/**
 * The same entry in several files counts once. Checkpoints, backups and archives repeat a transcript; a resumed or
 * forked session begins with a copy of another one's history. Which file owns an entry depends on the files alone,
 * never on the order in which they were read.
 */
import type { Standing } from '../formats/format.ts';
import { FORMATS } from '../formats/formats.ts';
import { factsIn, type KeptSessions } from '../reading/kept-sessions.ts';

export type FileEntries = {
  readonly path: string;
  readonly keys: Float64Array;
  readonly kept: KeptSessions;
};

/** Files that share entries, in the order of ownership: each owns what none before it owns. */
export type Overlap = {
  readonly paths: readonly string[];
  /** Entries of a path that an earlier one owns. Absent: it owns all of its own. */
  readonly copies: ReadonlyMap<string, ReadonlySet<number>>;
  /** Paths of which nothing is left. */
  readonly redundant: ReadonlySet<string>;
};

export function findOverlaps(files: readonly FileEntries[]): Overlap[] {
  const owners = sharedKeys(files);
  if (owners.size === 0) return [];
  const groups = groupFiles(files.length, owners.values());
  return groups.map((group) =>
    resolve(
      group.map((index) => files[index] as FileEntries),
      owners,
    ),
  );
}

function resolve(group: readonly FileEntries[], shared: ReadonlyMap<number, unknown>): Overlap {
  const depth = depths(group);
  const ordered = [...group].sort((a, b) => compareOwners(a, b, depth));
  const taken = new Set<number>();
  const copies = new Map<string, ReadonlySet<number>>();
  const redundant = new Set<string>();
  for (const { path, keys } of ordered) {
    const own = keys.filter((key) => shared.has(key));
    const copied = new Set(own.filter((key) => taken.has(key)));
    if (copied.size > 0) copies.set(path, copied);
    if (copied.size > 0 && keys.every((key) => copied.has(key))) redundant.add(path);
    for (const key of own) taken.add(key);
  }
  return { paths: ordered.map(({ path }) => path), copies, redundant };
}

/** Unless a format has its files own by path: the session that was copied from, then the live file, then the longest. */
function compareOwners(a: FileEntries, b: FileEntries, depth: ReadonlyMap<string, number>): number {
  const byPath = a.path < b.path ? -1 : 1;
  if (isOwnedByPath(a) && isOwnedByPath(b)) return byPath;
  return (
    (depth.get(a.path) ?? 0) - (depth.get(b.path) ?? 0) ||
    rankOf(a.path) - rankOf(b.path) ||
    b.keys.length - a.keys.length ||
    byPath
  );
}

function isOwnedByPath({ kept }: FileEntries): boolean {
  return FORMATS.some(({ name, ownedByPath }) => ownedByPath && name === kept.source);
}

const RANKS: Readonly<Record<Standing, number>> = { live: 0, 'put away': 1, copy: 2 };

/** A name means what any agent means by it: what an agent puts away may look like another's transcript. */
function rankOf(path: string): number {
  return Math.max(...FORMATS.map(({ standing }) => RANKS[standing?.(path) ?? 'live']), 0);
}

/** How many of the other files' sessions a file's session descends from. */
function depths(group: readonly FileEntries[]): Map<string, number> {
  const parents = new Map<string, string>();
  const here = new Set<string>();
  const firstOf = new Map<string, string>();
  for (const { path, kept } of group) {
    for (const { sessionId, parentSessionId } of factsIn(kept)) {
      here.add(sessionId);
      if (!firstOf.has(path)) firstOf.set(path, sessionId);
      if (parentSessionId !== undefined && parentSessionId !== sessionId)
        parents.set(sessionId, parentSessionId);
    }
  }
  const known = new Map<string, number>();
  return new Map(group.map(({ path }) => [path, depthOf(firstOf.get(path), { parents, here, known })]));
}

type Family = {
  readonly parents: ReadonlyMap<string, string>;
  readonly here: ReadonlySet<string>;
  /** What was found out before: each session is gone over once, however long its line. */
  readonly known: Map<string, number>;
};

/** In a circle everybody descends from all. */
function depthOf(id: string | undefined, { parents, here, known }: Family): number {
  const line = new Set<string>();
  let next = id;
  while (next !== undefined && !known.has(next) && !line.has(next)) {
    line.add(next);
    const parent = parents.get(next);
    next = parent !== undefined && here.has(parent) ? parent : undefined;
  }
  const isCircle = next !== undefined && line.has(next);
  let depth = isCircle ? here.size : next === undefined ? -1 : (known.get(next) ?? 0);
  for (const one of [...line].reverse()) {
    depth = Math.min(depth + 1, here.size);
    known.set(one, depth);
  }
  return id === undefined ? 0 : (known.get(id) ?? 0);
}

/** Keys that at least two files have, with these files. Bits first: nearly all keys are in one file only. */
function sharedKeys(files: readonly FileEntries[]): Map<number, number[]> {
  const total = files.reduce((sum, { keys }) => sum + keys.length, 0);
  const size = Math.min(2 ** 30, Math.max(2 ** 16, 2 ** Math.ceil(Math.log2(16 * total + 1))));
  const seen = new Uint32Array(size / 32);
  const again = new Uint32Array(size / 32);
  for (const { keys } of files) {
    for (const key of keys) {
      const bit = (key >>> 0) & (size - 1);
      if (hasBit(seen, bit)) setBit(again, bit);
      setBit(seen, bit);
    }
  }
  const owners = new Map<number, number[]>();
  files.forEach(({ keys }, index) => {
    for (const key of keys) {
      if (!hasBit(again, (key >>> 0) & (size - 1))) continue;
      const known = owners.get(key);
      if (known === undefined) owners.set(key, [index]);
      else if (known.at(-1) !== index) known.push(index);
    }
  });
  for (const [key, known] of owners) if (known.length < 2) owners.delete(key);
  return owners;
}

function hasBit(bits: Uint32Array, bit: number): boolean {
  return (((bits[bit >>> 5] as number) >>> (bit & 31)) & 1) === 1;
}

function setBit(bits: Uint32Array, bit: number): void {
  bits[bit >>> 5] = (bits[bit >>> 5] as number) | (1 << (bit & 31));
}

/** Groups of files that are connected by shared keys. */
function groupFiles(count: number, sharing: Iterable<readonly number[]>): number[][] {
  const parent = Array.from({ length: count }, (_, index) => index);
  const rootOf = (start: number): number => {
    let index = start;
    while (parent[index] !== index) {
      parent[index] = parent[parent[index] as number] as number;
      index = parent[index] as number;
    }
    return index;
  };
  const involved = new Set<number>();
  for (const files of sharing) {
    for (const file of files) {
      involved.add(file);
      parent[rootOf(file)] = rootOf(files[0] as number);
    }
  }
  const groups = new Map<number, number[]>();
  for (const file of [...involved].sort((a, b) => a - b)) {
    const root = rootOf(file);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [file]);
    else group.push(file);
  }
  return [...groups.values()];
}
