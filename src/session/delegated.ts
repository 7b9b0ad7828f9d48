/** Sessions that another one started: what became of them counts for the one that did, whether it tells of them or not. */
import type { AgentRunFacts, SessionFacts } from './evidence.ts';

/** What became of the sessions that one started. */
export type Delegated = { spawned: number; completed: number; failed: number };

/** By the source and id of the session that started them. */
export type DelegatedBy = ReadonlyMap<string, Delegated>;

const COMPLETED: ReadonlySet<AgentRunFacts['end']> = new Set(['normal', 'handoff']);
/** Who was stopped by a person, or is still at work, has not failed. */
const FAILED: ReadonlySet<AgentRunFacts['end']> = new Set(['error', 'timeout', 'limit']);

export function delegatedBy(sessions: Iterable<SessionFacts>): DelegatedBy {
  const found = new Map<string, Delegated>();
  for (const facts of sessions) noteDelegated(found, facts);
  return found;
}

export function noteDelegated(
  found: Map<string, Delegated>,
  { source, sessionId, parentSessionId, runs }: SessionFacts,
): void {
  const [first] = runs;
  // A session that a person branched off another one was not given a task by it.
  const isStarted = first?.trigger === 'subagent' || first?.trigger === 'unknown';
  if (parentSessionId === undefined || parentSessionId === sessionId || !isStarted) return;
  const key = nameOf(source, parentSessionId);
  const known = found.get(key) ?? { spawned: 0, completed: 0, failed: 0 };
  const last = runs.at(-1);
  const end = last?.end ?? 'unknown';
  // Who says that it did not succeed has come back, and failed.
  const gaveUp = last?.gaveUp === true && COMPLETED.has(end);
  known.spawned += 1;
  if (COMPLETED.has(end) && !gaveUp) known.completed += 1;
  if (FAILED.has(end) || gaveUp) known.failed += 1;
  found.set(key, known);
}

function nameOf(source: string, sessionId: string): string {
  return `${source}\n${sessionId}`;
}

/** With the sub-agents that only their own sessions tell of. What the session itself says of them goes before. */
export function withDelegated(facts: SessionFacts, delegated: DelegatedBy | undefined): SessionFacts {
  const found = delegated?.get(nameOf(facts.source, facts.sessionId));
  const last = facts.runs.at(-1);
  if (found === undefined || last === undefined) return facts;
  const own = { spawned: 0, completed: 0, failed: 0 };
  for (const run of facts.runs) {
    own.spawned += run.spawned;
    own.completed += run.spawnsCompleted;
    own.failed += run.spawnsFailed;
  }
  const spawned = Math.max(own.spawned, found.spawned);
  const completed = Math.max(own.completed, Math.min(found.completed, spawned - own.failed));
  const failed = Math.max(own.failed, Math.min(found.failed, spawned - completed));
  const run = {
    ...last,
    spawned: last.spawned + spawned - own.spawned,
    spawnsCompleted: last.spawnsCompleted + completed - own.completed,
    spawnsFailed: last.spawnsFailed + failed - own.failed,
  };
  return { ...facts, runs: [...facts.runs.slice(0, -1), run] };
}
