import type { Unjoined } from '../../session/results.ts';
import type { SessionOptions } from '../../session/score-session.ts';
import { keyOfSession } from '../../session/session-key.ts';
import type { ReadSession } from './read-sessions.ts';

/**
 * Files of people name sessions by their id. Where several sessions have it nobody can tell which is meant: nothing is
 * attached to any of them, and the id is named. Asked of all sessions that were read, before any filter, because a
 * filter does not make one of them the one that was meant.
 */
export function joinable(
  options: SessionOptions,
  sessions: () => Iterable<ReadSession>,
  labelled: Iterable<string> = [],
): { readonly options: SessionOptions; readonly unjoined: readonly Unjoined[] } {
  const { outcomes, taskTypes } = options;
  const names = new Set([...(outcomes?.keys() ?? []), ...(taskTypes?.keys() ?? []), ...labelled]);
  const unjoined = names.size === 0 ? [] : sharedAmong(sessions(), names);
  if (unjoined.length === 0) return { options, unjoined };
  const shared = new Set(unjoined.map(({ sessionId }) => sessionId));
  return {
    unjoined,
    options: {
      ...options,
      ...(outcomes && { outcomes: without(outcomes, shared) }),
      ...(taskTypes && { taskTypes: without(taskTypes, shared) }),
    },
  };
}

/** Of these names those that several sessions have. */
export function sharedAmong(sessions: Iterable<ReadSession>, names: ReadonlySet<string>): Unjoined[] {
  const keys = new Map<string, Set<string>>();
  for (const { facts, file } of sessions) {
    const key = keyOfSession(facts, file);
    // A transcript may also give as its id the key of another session.
    for (const name of [facts.sessionId, key]) {
      if (names.has(name)) keys.set(name, (keys.get(name) ?? new Set()).add(key));
    }
  }
  return [...keys].flatMap(([sessionId, { size }]) => (size > 1 ? [{ sessionId, sessions: size }] : []));
}

function without<T>(labels: ReadonlyMap<string, T>, names: ReadonlySet<string>): Map<string, T> {
  return new Map([...labels].filter(([name]) => !names.has(name)));
}
