/** What sessions are grouped by. */
import { isoTime } from './iso-time.ts';
import type { SessionScore } from './session-score.ts';

type Grouped = Pick<SessionScore, 'model' | 'agent' | 'source' | 'taskType' | 'project' | 'startedAt'>;

export const SESSION_GROUPS = {
  model: modelOf,
  agent: ({ agent, source }: Grouped): string | undefined => agent ?? source,
  'task-type': ({ taskType }: Grouped): string | undefined => taskType,
  project: ({ project }: Grouped): string | undefined => project,
  day: ({ startedAt }: Grouped): string | undefined => isoTime(startedAt)?.slice(0, 10),
  week: weekOf,
  month: ({ startedAt }: Grouped): string | undefined => isoTime(startedAt)?.slice(0, 7),
} as const satisfies Record<string, (session: Grouped) => string | undefined>;

export type SessionGroup = keyof typeof SESSION_GROUPS;

/** Their groups come one after the other; those of others by what they cost. */
export function isTimeGroup(by: string): boolean {
  return by === 'day' || by === 'week' || by === 'month' || by === 'block';
}

export function modelOf({ model }: Pick<Grouped, 'model'>): string | undefined {
  return model;
}

const DAY_MS = 86_400_000;

/** The Monday it begins with. */
function weekOf({ startedAt }: Grouped): string | undefined {
  if (startedAt === undefined) return undefined;
  const day = new Date(startedAt).getUTCDay();
  return isoTime(startedAt - ((day + 6) % 7) * DAY_MS)?.slice(0, 10);
}
