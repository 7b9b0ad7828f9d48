/** Parts of one session, read in several places, become one session again. */
import type { AgentRunFacts, SessionFacts, WrittenFacts } from '../../evidence.ts';
import { packHashes, unpackHashes } from '../../fold/line-hash.ts';
import { addUsage } from '../../usage.ts';

/** What the first part says about the session wins: it is the live, or the longest, one. Runs go by time. */
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

/** Parts of a session wrote at other times: their files stand side by side, in as much detail as the coarsest has. */
function joinWritten(parts: readonly WrittenFacts[]): WrittenFacts | undefined {
  if (parts.length < 2) return parts[0];
  const oneIn = Math.max(...parts.map((part) => part.oneIn));
  const kept = (text: string): string => packHashes(unpackHashes(text).filter((hash) => hash % oneIn === 0));
  return {
    oneIn,
    files: parts.flatMap(({ files }) =>
      files.map(({ removed, left, ...file }) => ({
        ...file,
        wrote: kept(file.wrote),
        ...(removed !== undefined && { removed: kept(removed) }),
        ...(left !== undefined && { left: kept(left) }),
      })),
    ),
    commits: parts.flatMap(({ commits }) => commits),
  };
}

/**
 * Sessions of which several parts were found, by id. Each is complete once all parts were added; its place is that of
 * its first part. The others pass through, so that only what must be joined is kept.
 */
export class Joined {
  readonly #parts: ReadonlyMap<string, SessionFacts[]>;

  constructor(ids: Iterable<string>) {
    this.#parts = new Map([...ids].map((id) => [id, []]));
  }

  add(id: string, part: SessionFacts): void {
    this.#parts.get(id)?.push(part);
  }

  /** A session that is in one part, as it is; one in several parts where it is met first, nothing afterwards. */
  take(id: string, facts: SessionFacts): SessionFacts | undefined {
    const parts = this.#parts.get(id);
    if (parts === undefined) return facts;
    const [first, ...rest] = parts.splice(0);
    return first === undefined ? undefined : joinParts([first, ...rest]);
  }
}

function startOf(run: AgentRunFacts): number {
  return run.startedAt ?? run.endedAt ?? 0;
}
