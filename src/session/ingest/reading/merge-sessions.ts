/** Parts of one session, read in several places, become one session again. */
import type { AgentRunFacts, SessionFacts, WrittenFacts } from '../../evidence.ts';
import { packHashes, unpackHashes } from '../../fold/line-fingerprints.ts';
import { addUsage } from '../../usage.ts';

/** The session information of the first part wins: it is the live, or the longest, one. Runs are ordered by time. */
function joinParts(parts: readonly [SessionFacts, ...SessionFacts[]]): SessionFacts {
  const [first] = parts;
  if (parts.length === 1) return first;
  let known = first;
  for (const part of parts) known = { ...part, ...known };
  const written = joinWritten(parts.flatMap((part) => part.written ?? []));
  return {
    ...known,
    ...(written !== undefined && { written }),
    runs: parts.flatMap(({ runs }) => runs).sort((a, b) => startOf(a) - startOf(b)),
    abandoned: parts
      .map(({ abandoned }) => abandoned)
      .reduce((a, b) => ({
        entries: a.entries + b.entries,
        usage: addUsage(a.usage, b.usage),
      })),
  };
}

/** Parts of a session written at other times: their files are listed together, as coarse as the coarsest part. */
function joinWritten(parts: readonly WrittenFacts[]): WrittenFacts | undefined {
  if (parts.length < 2) return parts[0];
  const oneIn = Math.max(...parts.map((part) => part.oneIn));
  const thinned = (text: string): string =>
    packHashes(unpackHashes(text).filter((hash) => hash % oneIn === 0));
  return {
    oneIn,
    files: parts.flatMap(({ files }) =>
      files.map(({ removed, left, ...file }) => ({
        ...file,
        wrote: thinned(file.wrote),
        ...(removed !== undefined && { removed: thinned(removed) }),
        ...(left !== undefined && { left: thinned(left) }),
      })),
    ),
    commits: parts.flatMap(({ commits }) => commits),
  };
}

/** Sessions with the same name become one, at the place of its first part. */
export function mergeSessions(
  sessions: readonly SessionFacts[],
  nameOf: (facts: SessionFacts) => string,
): SessionFacts[] {
  const parts = new Map<string, [SessionFacts, ...SessionFacts[]]>();
  for (const facts of sessions) {
    const known = parts.get(nameOf(facts));
    if (known === undefined) parts.set(nameOf(facts), [facts]);
    else known.push(facts);
  }
  return parts.size === sessions.length ? [...sessions] : [...parts.values()].map(joinParts);
}

function startOf(run: AgentRunFacts): number {
  return run.startedAt ?? run.endedAt ?? 0;
}
