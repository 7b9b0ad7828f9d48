/** Files that share entries with others → the sessions each of them really has. */
import type { FilePart, SessionFacts } from '../../evidence.ts';
import type { CopyWeighing, LoadedFormat } from '../formats/format.ts';
import { loadFormats } from '../formats/load-formats.ts';
import { factsIn, type KeptSessions, keepSessions, NO_SESSIONS } from '../reading/kept-sessions.ts';
import { Joined } from '../reading/merge-sessions.ts';
import { scanFile } from '../reading/read-file.ts';
import type { FileJob } from '../reading/reader-thread.ts';
import type { Spill } from '../reading/spill-list.ts';
import { hashKey } from './entry-keys.ts';
import { type FileEntries, findOverlaps, type Overlap } from './find-overlaps.ts';
import { withoutPrinted } from './printed-sessions.ts';
import { alone, lookThrough, type ToWeigh, type Weighed, weighFiles } from './weigh-files.ts';

/** A file that was read, now or before; its keys may have to be fetched. */
export type Read = {
  readonly path: string;
  readonly kept: KeptSessions;
  readonly keys: () => Float64Array | Promise<Float64Array>;
};

/** A file that is read again, without the entries that another one owns. */
export type ReadAgain = Required<Pick<FileJob, 'path' | 'copies'>> & Pick<FileJob, 'weighedBy'>;

type Options = {
  readonly formats?: readonly LoadedFormat[] | undefined;
  readonly spill?: Spill | undefined;
  readonly readAgain: (files: readonly ReadAgain[]) => Promise<ReadonlyMap<string, KeptSessions>>;
  /** Here, one after the other, when not given. */
  readonly weigh?: ((groups: readonly ToWeigh[]) => Promise<readonly (readonly Weighed[])[]>) | undefined;
};

/** Only files of which something counts elsewhere are in the result. */
export async function countCopies(
  reads: readonly Read[],
  options: Options,
): Promise<Map<string, KeptSessions>> {
  const files: FileEntries[] = [];
  for (const { path, kept, keys } of reads) files.push({ path, kept, keys: await keys() });
  const byPath = new Map(reads.map((read) => [read.path, read]));
  const corrected = new Map<string, KeptSessions>();
  const shared = await decide(findOverlaps(files), byPath, options);
  const again = await options.readAgain(
    shared.filter(({ weighings }) => weighings === undefined).flatMap(filesAgain),
  );
  for (const { overlap, weighings } of shared) {
    const parts =
      weighings === undefined
        ? partsOf(overlap, byPath, again)
        : await readTogether(overlap, weighings, byPath, options);
    for (const [path, kept] of joinAcross(parts, options.spill)) corrected.set(path, kept);
  }
  const counted = reads.map(({ path, kept }) => ({ path, kept: corrected.get(path) ?? kept }));
  for (const [path, kept] of withoutPrinted(counted, options.spill)) corrected.set(path, kept);
  return corrected;
}

/** Files that share entries, and how they are read again. */
type Shared = {
  readonly overlap: Overlap;
  readonly weighedBy?: string | undefined;
  /** Where only those who have weighed them can read them: one for each format that has sessions in the files. */
  readonly weighings?: readonly Weighing[];
};

type Weighing = { readonly name: string; readonly by: CopyWeighing };

/** Which file owns what of them. */
async function decide(
  overlaps: readonly Overlap[],
  reads: ReadonlyMap<string, Read>,
  options: Options,
): Promise<Shared[]> {
  if (overlaps.length === 0) return [];
  const formats = options.formats ?? (await loadFormats());
  const toWeigh: ToWeigh[] = [];
  const decided = overlaps.map((overlap) => {
    const weighings = weighingsOf(overlap, reads, formats);
    const [first] = weighings;
    if (first === undefined) return { overlap };
    if (!first.by.restIsByPath) return { overlap, weighings };
    const shared = Float64Array.from(sharedIn(overlap));
    return {
      overlap,
      weighedBy: first.name,
      at: toWeigh.push({ format: first.name, paths: overlap.paths, shared }) - 1,
    };
  });
  const found = await weighAll(toWeigh, options);
  return decided.map(({ at, overlap, ...how }) => ({
    overlap: at === undefined ? overlap : owned(overlap, found[at] ?? []),
    ...how,
  }));
}

async function weighAll(
  groups: readonly ToWeigh[],
  { weigh, formats, spill }: Options,
): Promise<readonly (readonly Weighed[])[]> {
  if (weigh !== undefined) return weigh(groups);
  const weighed: Weighed[][] = [];
  for (const group of groups) weighed.push(await weighFiles(group, formats, spill));
  return weighed;
}

function sharedIn({ copies }: Overlap): Set<number> {
  return new Set([...copies.values()].flatMap((keys) => [...keys]));
}

function filesAgain({ overlap: { paths, copies, redundant }, weighedBy }: Shared): ReadAgain[] {
  return paths.flatMap((path) => {
    const left = copies.get(path);
    if (left === undefined || redundant.has(path)) return [];
    return [{ path, copies: Float64Array.from(left), weighedBy }];
  });
}

/** What the formats tell one after the other, each of its own sessions. */
async function readTogether(
  overlap: Overlap,
  weighings: readonly Weighing[],
  reads: ReadonlyMap<string, Read>,
  options: Options,
): Promise<Map<string, KeptSessions>> {
  const told: ReadonlyMap<string, KeptSessions>[] = [];
  for (const { by } of weighings) {
    const decided = await weighed(overlap, by, options.spill);
    told.push(partsOf(decided, reads, await readHere(decided, by, options)));
  }
  const names = new Set(weighings.map(({ name }) => name));
  const sessionsOf = function* (path: string): Generator<SessionFacts> {
    for (const parts of told) yield* factsIn(parts.get(path) ?? NO_SESSIONS);
    // Those of formats that join nothing stay as they were.
    for (const facts of factsIn(reads.get(path)?.kept ?? NO_SESSIONS))
      if (!names.has(facts.source)) yield facts;
  };
  return new Map(overlap.paths.map((path) => [path, keepSessions(sessionsOf(path), options.spill)]));
}

async function readHere(
  overlap: Overlap,
  weighing: CopyWeighing,
  { spill }: Options,
): Promise<Map<string, KeptSessions>> {
  const kept = new Map<string, KeptSessions>();
  const again = new Map(filesAgain({ overlap }).map(({ path, copies }) => [path, new Set(copies)]));
  const paths = [...again.keys()];
  for (const path of weighing.inOrder?.(paths) ?? paths) {
    const formats = [weighing.rest(path)];
    kept.set(path, (await scanFile(path, { copies: again.get(path), formats, spill })).kept);
  }
  for (const joint of weighing.joints?.() ?? []) {
    const { owner, parts } = joint;
    for (const part of parts) await scanFile(part.path, { formats: [joint.gather(part)], spill });
    const told = (await scanFile(owner, { formats: [joint.tell()], spill })).kept;
    const own = kept.get(owner) ?? NO_SESSIONS;
    kept.set(owner, keepSessions(bothOf(own, told, parts), spill));
  }
  return kept;
}

function* bothOf(own: KeptSessions, told: KeptSessions, parts: readonly FilePart[]): Generator<SessionFacts> {
  yield* factsIn(own);
  for (const facts of factsIn(told)) {
    const last = Math.max(0, ...facts.runs.map(({ lastLine }) => lastLine));
    const files = parts.filter(({ after }) => last > after);
    yield files.length === 0 ? facts : { ...facts, files };
  }
}

/** In the order of ownership. */
function partsOf(
  { paths, redundant }: Overlap,
  reads: ReadonlyMap<string, Read>,
  again: ReadonlyMap<string, KeptSessions>,
): Map<string, KeptSessions> {
  const kept = (path: string) => again.get(path) ?? reads.get(path)?.kept ?? NO_SESSIONS;
  return new Map(paths.map((path) => [path, redundant.has(path) ? NO_SESSIONS : kept(path)]));
}

/** Only where all of the files begin with a format that weighs its copies; several of them where all can read the files of the others. */
function weighingsOf(
  overlap: Overlap,
  reads: ReadonlyMap<string, Read>,
  formats: readonly LoadedFormat[],
): Weighing[] {
  const kept = overlap.paths.map((path) => reads.get(path)?.kept ?? NO_SESSIONS);
  const first = new Set(kept.map(({ source }) => source));
  const shared = sharedIn(overlap);
  const weigh = (name: string): Weighing[] => {
    const format = formats.find((one) => one.name === name);
    const by = format?.weighCopies?.(alone(format), shared);
    return by === undefined ? [] : [{ name, by }];
  };
  const [own] = [...first].flatMap((name) => (name === undefined ? [] : weigh(name)));
  if (own === undefined || (first.size === 1 && own.by.restIsByPath)) return own === undefined ? [] : [own];
  const all = new Set<string>();
  for (const one of kept) for (const { source } of factsIn(one)) all.add(source);
  const joining = [...all].flatMap(weigh).filter(({ by }) => by.restIsByPath !== true);
  const names = new Set<string | undefined>(joining.map(({ name }) => name));
  return [...first].every((name) => names.has(name)) ? joining : [];
}

async function weighed(overlap: Overlap, weighing: CopyWeighing, spill: Spill | undefined): Promise<Overlap> {
  return owned(overlap, await lookThrough(overlap.paths, weighing, spill));
}

function owned({ paths, copies, redundant }: Overlap, weighed: readonly Weighed[]): Overlap {
  const byPath = new Map(weighed.map((one) => [one.path, one]));
  const left = new Map<string, ReadonlySet<number>>();
  for (const path of paths) {
    const keys = new Set([...(copies.get(path) ?? []), ...(byPath.get(path)?.lost ?? [])]);
    if (keys.size > 0) left.set(path, keys);
  }
  const none = [...redundant].filter((path) => byPath.get(path)?.hasOwn !== true);
  return { paths, copies: left, redundant: new Set(none) };
}

/** A session in several of the files is one: it stays where it is owned, and gets what only the others have. */
function joinAcross(
  parts: ReadonlyMap<string, KeptSessions>,
  spill: Spill | undefined,
): Map<string, KeptSessions> {
  const shared = sharedIds(parts.values());
  const joined = new Joined(shared);
  const home = new Set<string>();
  for (const [path, kept] of parts) {
    for (const facts of factsIn(kept)) {
      const id = idOf(facts);
      if (!shared.has(id)) continue;
      joined.add(id, home.has(id) ? inFile(facts, path) : facts);
      home.add(id);
    }
  }
  const sessionsOf = function* (kept: KeptSessions): Generator<SessionFacts> {
    for (const part of factsIn(kept)) {
      const facts = joined.take(idOf(part), part);
      if (facts !== undefined) yield facts;
    }
  };
  return new Map([...parts].map(([path, kept]) => [path, keepSessions(sessionsOf(kept), spill)]));
}

/** Ids of sessions that are met more than once. */
function sharedIds(parts: Iterable<KeptSessions>): Set<string> {
  const [seen, again] = [new Set<number>(), new Set<string>()];
  for (const kept of parts) {
    for (const facts of factsIn(kept)) {
      const id = idOf(facts);
      const hash = hashKey(id);
      if (seen.has(hash)) again.add(id);
      seen.add(hash);
    }
  }
  return again;
}

function idOf({ source, sessionId }: SessionFacts): string {
  return `${source}\n${sessionId}`;
}

/** Pointers into another file than the session's own say so. */
function inFile(facts: SessionFacts, path: string): SessionFacts {
  return { ...facts, runs: facts.runs.map((run) => ({ ...run, file: path })) };
}
