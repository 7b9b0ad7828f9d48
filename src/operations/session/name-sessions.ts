import type { CollectedSession } from './collect-sessions.ts';

/** What a person's file calls each session: its id, or its key where several have that id. */
export function namedOnce(sessions: readonly CollectedSession[]): Map<string, CollectedSession> {
  const byId = Map.groupBy(sessions, ({ session }) => session.sessionId);
  return new Map(
    sessions.map((one) => {
      const namesakes = byId.get(one.session.sessionId) ?? [];
      return [namesakes.every(({ key }) => key === one.key) ? one.session.sessionId : one.key, one];
    }),
  );
}
