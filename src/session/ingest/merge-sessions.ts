/** Parts of one session, read in several places, become one session again. */
import type { RunFacts, SessionFacts } from '../evidence.ts';
import { addUsage } from '../usage.ts';

/** Same source and same id are one session. Its place is that of its first part; runs go by time. */
export function mergeSessions(parts: readonly SessionFacts[]): SessionFacts[] {
  const merged = new Map<string, SessionFacts>();
  for (const part of parts) {
    const key = `${part.source}\n${part.sessionId}`;
    const before = merged.get(key);
    merged.set(key, before === undefined ? part : joinParts(before, part));
  }
  return [...merged.values()];
}

/** What the first part says about the session wins: it is the live, or the longest, one. */
export function joinParts(first: SessionFacts, second: SessionFacts): SessionFacts {
  return {
    ...second,
    ...first,
    runs: [...first.runs, ...second.runs].sort((a, b) => startOf(a) - startOf(b)),
    abandoned: {
      entries: first.abandoned.entries + second.abandoned.entries,
      usage: addUsage(first.abandoned.usage, second.abandoned.usage),
    },
  };
}

function startOf(run: RunFacts): number {
  return run.startedAt ?? run.endedAt ?? 0;
}
