/**
 * When several sessions wrote the same line before it was committed, the last one gets the credit. For the others the
 * line counts neither for nor against them.
 */
import { unpackHashes } from '../fold/line-fingerprints.ts';
import { commitsInTranscript } from './choose-commits.ts';
import { groupOf, type History } from './history.ts';
import { type FoundLine, NO_FILE } from './lines-in-history.ts';
import type { FactsOfWork } from './work-outcome.ts';

type Claim = { readonly facts: FactsOfWork; readonly found: readonly FoundLine[] };

/** For each session, the lines that no other session wrote after it. */
export function creditLast(claims: readonly Claim[], history: History): (readonly FoundLine[])[] {
  const last = new Map<string, Bid>();
  const bids = claims.map(({ facts, found }) => {
    const own = new Set(commitsInTranscript(facts.written, history).map(groupOf));
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

/** How close to the commit the session wrote the line, as far as known. The session that made the commit is closest. */
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

/** The hashes of all lines it wrote or removed. */
export function linesOf({ written }: FactsOfWork): number[] {
  return (written?.files ?? []).flatMap(({ wrote, removed, left }) =>
    [wrote, removed, left].flatMap(unpackHashes),
  );
}
