/**
 * Sessions that wrote the same line before it was committed: whoever wrote it last handed it in. For the others it was taken
 * over, which says nothing for or against them.
 */
import { createHash } from 'node:crypto';
import { unpackHashes } from '../fold/line-fingerprints.ts';
import { toldCommits } from './choose-commits.ts';
import { groupOf, type History } from './history.ts';
import { type FoundLine, NO_FILE } from './lines-in-history.ts';
import type { FactsOfWork } from './work-outcome.ts';

type Claim = { readonly facts: FactsOfWork; readonly found: readonly FoundLine[] };

/** For each session the lines that no other one wrote after it. */
export function creditLast(claims: readonly Claim[], history: History): (readonly FoundLine[])[] {
  const last = new Map<string, Bid>();
  const bids = claims.map(({ facts, found }) => {
    const own = new Set(toldCommits(facts.written, history).map(groupOf));
    return found.map((line) => bidOf(line, own, facts.sessionId));
  });
  for (const { line, bid } of bids.flat()) {
    const known = line === undefined ? undefined : last.get(line);
    if (line !== undefined && (known === undefined || isLater(bid, known))) last.set(line, bid);
  }
  const isCredited = (bid: (typeof bids)[number][number] | undefined): boolean =>
    bid?.line === undefined || last.get(bid.line)?.[2] === bid.bid[2];
  return claims.map(({ found }, i) => found.filter((_, at) => isCredited(bids[i]?.[at])));
}

type Bid = readonly [at: number, since: number, sessionId: string];

/** How close to the commit it wrote the line, as far as is known; who made the commit is closest. */
function bidOf(
  { kind, file, hash, commit, since, until }: FoundLine,
  own: ReadonlySet<string>,
  sessionId: string,
): { readonly line: string | undefined; readonly bid: Bid } {
  if (commit === undefined || file === NO_FILE) return { line: undefined, bid: [0, 0, sessionId] };
  const group = groupOf(commit);
  const at = own.has(group) ? Number.POSITIVE_INFINITY : Math.min(until, commit.at);
  return { line: `${file} ${kind === 'removed'} ${hash} ${group}`, bid: [at, since, sessionId] };
}

function isLater(one: Bid, other: Bid): boolean {
  if (one[0] !== other[0]) return one[0] > other[0];
  return one[1] === other[1] ? one[2] < other[2] : one[1] > other[1];
}

/** Sessions that wrote the same lines as others. Nothing is kept of lines that only one of them wrote. */
export type Sharing = {
  /** For each session a mark that changes with what the others wrote that it wrote, too. */
  readonly marks: readonly string[];
  /** These, by their places, and all that wrote a line that one of them wrote. */
  readonly beside: (places: readonly number[]) => number[];
};

export function sharingOf(sessions: readonly FactsOfWork[]): Sharing {
  const writers = writersOf(sessions);
  const shared = sessions.map(() => [] as string[]);
  const about = sessions.map(aboutOf);
  for (const [hash, places] of writers) {
    // Once for all that share a line: for each of them it would be as many steps as there are sessions, squared.
    const group = digest([hash, places.map((i) => about[i]).sort()]);
    for (const i of places) shared[i]?.push(group);
  }
  return {
    marks: shared.map((groups) => (groups.length === 0 ? '' : digest(groups.sort()))),
    beside: (places) => besideOf(places, writers),
  };
}

/** Only lines that several of them wrote, with the places of these. */
function writersOf(sessions: readonly FactsOfWork[]): Map<number, number[]> {
  const again = repeated(
    sessions.map((facts) => new Set(linesOf(facts)).size),
    function* () {
      for (const facts of sessions) yield* new Set(linesOf(facts));
    },
  );
  const writers = new Map<number, number[]>([...again].map((hash) => [hash, []]));
  sessions.forEach((facts, i) => {
    for (const hash of new Set(linesOf(facts))) writers.get(hash)?.push(i);
  });
  return writers;
}

/** Numbers that come more than once. Sorted in place: a set of all of them would take five times as much. */
function repeated(counts: readonly number[], numbers: () => Iterable<number>): Set<number> {
  const sorted = new Float64Array(counts.reduce((sum, count) => sum + count, 0));
  let at = 0;
  for (const one of numbers()) sorted[at++] = one;
  sorted.sort();
  const found = new Set<number>();
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) found.add(sorted[i] as number);
  return found;
}

function besideOf(places: readonly number[], writers: ReadonlyMap<number, readonly number[]>): number[] {
  const wanted = new Set(places);
  const found = new Set(places);
  for (const list of writers.values())
    if (list.some((i) => wanted.has(i))) for (const i of list) found.add(i);
  return [...found].sort((a, b) => a - b);
}

/** The numbers of all lines it wrote or took out. */
export function linesOf({ written }: FactsOfWork): number[] {
  return (written?.files ?? []).flatMap(({ wrote, removed, left }) =>
    [wrote, removed, left].flatMap(unpackHashes),
  );
}

function aboutOf({ sessionId, written }: FactsOfWork): string {
  const times = written?.files.map(({ ends, firstAt, lastAt }) => [ends[0], firstAt, lastAt]);
  return digest([sessionId, times, written?.commits]);
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
