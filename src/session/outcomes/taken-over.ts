/**
 * Sessions that wrote the same line before it was committed: whoever wrote it last handed it in. For the others it was taken
 * over, which says nothing for or against them.
 */
import { createHash } from 'node:crypto';
import type { SessionFacts } from '../evidence.ts';
import { unpackHashes } from '../fold/line-hash.ts';
import { toldCommits } from './choose-commits.ts';
import { type FoundLine, NO_FILE } from './found-line.ts';
import { groupOf, type History } from './history.ts';

type Claim = { readonly facts: SessionFacts; readonly found: readonly FoundLine[] };

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

/** Who else wrote lines of a session: the others by their places, and a mark that changes with what they wrote. */
export type Sharing = { readonly with: ReadonlySet<number>; readonly mark: string };

export function sharingOf(sessions: readonly SessionFacts[]): Sharing[] {
  const writers = new Map<number, number[]>();
  sessions.forEach((facts, i) => {
    for (const hash of new Set(linesOf(facts))) {
      const known = writers.get(hash);
      if (known === undefined) writers.set(hash, [i]);
      else known.push(i);
    }
  });
  const shared = sessions.map(() => ({ with: new Set<number>(), lines: [] as number[] }));
  for (const [hash, list] of writers) {
    if (list.length < 2) continue;
    for (const one of list) {
      shared[one]?.lines.push(hash);
      for (const other of list) if (other !== one) shared[one]?.with.add(other);
    }
  }
  return shared.map(({ with: others, lines }) => ({ with: others, mark: markOf(sessions, others, lines) }));
}

/** The numbers of all lines it wrote or took out. */
export function linesOf({ written }: SessionFacts): number[] {
  return (written?.files ?? []).flatMap(({ wrote, removed, left }) =>
    [wrote, removed, left].flatMap(unpackHashes),
  );
}

function markOf(
  sessions: readonly SessionFacts[],
  others: ReadonlySet<number>,
  lines: readonly number[],
): string {
  if (others.size === 0) return '';
  const about = [...others].map((i) => {
    const { sessionId, written } = sessions[i] as SessionFacts;
    const times = written?.files.map(({ ends, firstAt, lastAt }) => [ends[0], firstAt, lastAt]);
    return JSON.stringify([sessionId, times, written?.commits]);
  });
  return createHash('sha256')
    .update(JSON.stringify([about.sort(), [...lines].sort((a, b) => a - b)]))
    .digest('base64url');
}
