/** What sessions are grouped by. */
import { isoTime } from './iso-time.ts';
import type { SessionScore } from './session-score.ts';

export const SESSION_GROUPS = {
  model: modelOf,
  agent: agentOf,
  'task-type': ({ taskType }: SessionScore): string | undefined => taskType,
  day: ({ startedAt }: SessionScore): string | undefined => isoTime(startedAt)?.slice(0, 10),
} as const satisfies Record<string, (session: SessionScore) => string | undefined>;

export type SessionGroup = keyof typeof SESSION_GROUPS;

export function modelOf({ model }: SessionScore): string | undefined {
  return model;
}

function agentOf({ agent, source }: SessionScore): string | undefined {
  return agent ?? source;
}
