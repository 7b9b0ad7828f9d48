import { namesInFiles } from '../../session/views/rating-csv.ts';
import type { CollectedSession } from './collect-sessions.ts';

/** What a person's file calls each session: its id, or its key where several have that id or another has it as its key. */
export function namedOnce(sessions: readonly CollectedSession[]): Map<string, CollectedSession> {
  const keys = new Set(sessions.map(({ key }) => key));
  const byId = Map.groupBy(sessions, ({ session }) => session.sessionId);
  return new Map(
    sessions.map((one) => {
      const namesakes = byId.get(one.session.sessionId) ?? [];
      const isOnly = !keys.has(one.session.sessionId) && namesakes.every(({ key }) => key === one.key);
      return [isOnly ? one.session.sessionId : one.key, one];
    }),
  );
}

/** Whether a file that has these names speaks of it; `name` is what it is called there. */
export function isNamedIn(names: ReadonlySet<string>, name: string, { key }: CollectedSession): boolean {
  return name === key ? names.has(key) : [...namesInFiles(key, name)].some((one) => names.has(one));
}
