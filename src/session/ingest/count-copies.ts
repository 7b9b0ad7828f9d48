/** Files that share entries with others → the sessions each of them really has. */
import type { SessionFacts } from '../evidence.ts';
import { type FileEntries, findOverlaps, type Overlap } from './copies.ts';
import { type AnyFormat, formatNamed } from './detect.ts';
import { hashKey } from './entry-keys.ts';
import { MessageOwners, onlyMessages, roughKey, withExactKeys } from './formats/claude-code-copies.ts';
import type { Memory } from './memory.ts';
import { joinParts } from './merge-sessions.ts';
import { readFile } from './read-file.ts';

/** A file that was read, now or before; its keys may have to be fetched. */
export type Read = {
  readonly path: string;
  readonly sessions: readonly SessionFacts[];
  readonly keys: () => Float64Array;
};

/** Only files that share entries are in the result. `corpus` identifies all files together. */
export async function correctedSessions(
  reads: readonly Read[],
  corpus: string,
  memory: Memory | undefined,
  formats: readonly AnyFormat[] | undefined,
): Promise<ReadonlyMap<string, readonly SessionFacts[]>> {
  if (reads.length < 2) return new Map();
  const known = memory?.corpus(corpus);
  if (known !== undefined) return new Map(JSON.parse(known));
  const corrected = await correct(reads, formats);
  memory?.rememberCorpus(corpus, JSON.stringify([...corrected]));
  return corrected;
}

async function correct(
  reads: readonly Read[],
  formats: readonly AnyFormat[] | undefined,
): Promise<Map<string, readonly SessionFacts[]>> {
  const files: FileEntries[] = reads.map(({ path, sessions, keys }) => ({ path, sessions, keys: keys() }));
  const byPath = new Map(reads.map((read) => [read.path, read]));
  const corrected = new Map<string, readonly SessionFacts[]>();
  for (const overlap of findOverlaps(files)) {
    const parts = await readParts(overlap, byPath, formats);
    for (const [path, sessions] of joinAcross(overlap.paths, parts)) corrected.set(path, sessions);
  }
  return corrected;
}

async function readParts(
  overlap: Overlap,
  reads: ReadonlyMap<string, Read>,
  formats: readonly AnyFormat[] | undefined,
): Promise<Map<string, readonly SessionFacts[]>> {
  const known = ofClaudeCode(overlap, reads) ? formatNamed('claude-code', formats) : undefined;
  const { paths, copies, redundant } = known === undefined ? overlap : await weighMessages(overlap, known);
  const parts = new Map<string, readonly SessionFacts[]>();
  for (const path of paths) {
    const left = copies.get(path);
    const exact = known === undefined ? formats : [withExactKeys(known, path)];
    if (redundant.has(path)) parts.set(path, []);
    else if (left === undefined) parts.set(path, reads.get(path)?.sessions ?? []);
    else parts.set(path, (await readFile(path, { copies: left, formats: exact })).sessions);
  }
  return parts;
}

function ofClaudeCode({ paths }: Overlap, reads: ReadonlyMap<string, Read>): boolean {
  return paths.every((path) => reads.get(path)?.sessions[0]?.source === 'claude-code');
}

/** Other lines belong to the first file that has them; a message to the one that has most of it. */
async function weighMessages({ paths, copies, redundant }: Overlap, format: AnyFormat): Promise<Overlap> {
  const shared = new Set([...copies.values()].flatMap((keys) => [...keys]));
  const owners = new MessageOwners();
  for (const path of paths) {
    const look = onlyMessages(format, (record, message) => {
      if (shared.has(hashKey(roughKey(record) ?? ''))) owners.take(path, record, message);
    });
    await readFile(path, { formats: [look] });
  }
  const left = new Map<string, ReadonlySet<number>>();
  for (const path of paths) {
    const keys = new Set([...(copies.get(path) ?? []), ...owners.lostBy(path).map(hashKey)]);
    if (keys.size > 0) left.set(path, keys);
  }
  return { paths, copies: left, redundant: new Set([...redundant].filter((path) => !owners.hasOwn(path))) };
}

/** A session in several of the files is one: it stays where it is owned, and gets what only the others have. */
function joinAcross(
  paths: readonly string[],
  parts: ReadonlyMap<string, readonly SessionFacts[]>,
): Map<string, SessionFacts[]> {
  const home = new Map<string, { path: string; index: number }>();
  const joined = new Map<string, SessionFacts[]>(paths.map((path) => [path, []]));
  for (const path of paths) {
    for (const facts of parts.get(path) ?? []) {
      const id = `${facts.source}\n${facts.sessionId}`;
      const at = home.get(id);
      const own = joined.get(path) ?? [];
      if (at === undefined) {
        home.set(id, { path, index: own.length });
        own.push(facts);
      } else {
        const there = joined.get(at.path) ?? [];
        there[at.index] = joinParts(there[at.index] as SessionFacts, inFile(facts, path));
      }
    }
  }
  return joined;
}

/** Pointers into another file than the session's own say so. */
function inFile(facts: SessionFacts, path: string): SessionFacts {
  return { ...facts, runs: facts.runs.map((run) => ({ ...run, file: path })) };
}
