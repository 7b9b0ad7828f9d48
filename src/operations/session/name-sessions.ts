import { namesInFiles } from '../../session/views/rating-csv.ts';
import type { SessionSummary } from '../../store/store.ts';

/** What a person's file calls each session: its id, or its key where several have that id or another has it as its key. */
export function namedOnce(sessions: readonly SessionSummary[]): Map<string, SessionSummary> {
  const keys = new Set(sessions.map(({ sessionKey }) => sessionKey));
  const byId = Map.groupBy(sessions, ({ sessionId }) => sessionId);
  return new Map(
    sessions.map((one) => {
      const isOnly = !keys.has(one.sessionId) && byId.get(one.sessionId)?.length === 1;
      return [isOnly ? one.sessionId : one.sessionKey, one];
    }),
  );
}

/** Whether a file that has these names speaks of it; `name` is what it is called there. */
export function isNamedIn(
  names: ReadonlySet<string>,
  name: string,
  { sessionKey: key }: SessionSummary,
): boolean {
  return name === key ? names.has(key) : [...namesInFiles(key, name)].some((one) => names.has(one));
}
