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
  const shared: Shared[] = [];
  for (const overlap of findOverlaps(files)) shared.push(await decide(overlap, byPath, options));
  const again = await options.readAgain(
    shared.filter(({ weighing }) => weighing === undefined).flatMap(filesAgain),
  );
  for (const { overlap, weighing } of shared) {
    const parts =
      weighing === undefined
        ? partsOf(overlap, byPath, again)
        : withOthers(partsOf(overlap, byPath, await readHere(overlap, weighing, options)), byPath, options);
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
  /** Where only the one who has weighed them can read them. */
  readonly weighing?: CopyWeighing;
};

/** Which file owns what of them. */
async function decide(
  overlap: Overlap,
  reads: ReadonlyMap<string, Read>,
  { formats, spill }: Options,
): Promise<Shared> {
  const weighing = weighingOf(overlap, reads, formats ?? (await loadFormats()));
  if (weighing === undefined) return { overlap };
  const [path = ''] = overlap.paths;
  const decided = await weighed(overlap, weighing, spill);
  return weighing.restIsByPath
    ? { overlap: decided, weighedBy: reads.get(path)?.kept.source }
    : { overlap: decided, weighing };
}

function filesAgain({ overlap: { paths, copies, redundant }, weighedBy }: Shared): ReadAgain[] {
  return paths.flatMap((path) => {
    const left = copies.get(path);
    if (left === undefined || redundant.has(path)) return [];
    return [{ path, copies: Float64Array.from(left), weighedBy }];
  });
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

/** Only sessions of the format that weighs them are read again: those of others in the same files stay. */
function withOthers(
  parts: ReadonlyMap<string, KeptSessions>,
  reads: ReadonlyMap<string, Read>,
  { spill }: Options,
): Map<string, KeptSessions> {
  const left = new Map(parts);
  for (const [path, kept] of parts) {
    const before = reads.get(path)?.kept ?? NO_SESSIONS;
    const others: SessionFacts[] = [];
    for (const facts of factsIn(before)) if (facts.source !== before.source) others.push(facts);
    if (others.length > 0) left.set(path, keepSessions([...factsIn(kept), ...others], spill));
  }
  return left;
}

/** Only where all of the files are of one format that weighs its copies. */
function weighingOf(
  { paths, copies }: Overlap,
  reads: ReadonlyMap<string, Read>,
  formats: readonly LoadedFormat[],
): CopyWeighing | undefined {
  const sources = new Set(paths.map((path) => reads.get(path)?.kept.source));
  const format = sources.size === 1 ? formats.find(({ name }) => sources.has(name)) : undefined;
  return format?.weighCopies?.(format, new Set([...copies.values()].flatMap((keys) => [...keys])));
}

async function weighed(
  { paths, copies, redundant }: Overlap,
  weighing: CopyWeighing,
  spill: Spill | undefined,
): Promise<Overlap> {
  for (const path of paths) await scanFile(path, { formats: [weighing.look(path)], spill });
  const left = new Map<string, ReadonlySet<number>>();
  for (const path of paths) {
    const keys = new Set([...(copies.get(path) ?? []), ...weighing.lostBy(path).map(hashKey)]);
    if (keys.size > 0) left.set(path, keys);
  }
  return { paths, copies: left, redundant: new Set([...redundant].filter((path) => !weighing.hasOwn(path))) };
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
