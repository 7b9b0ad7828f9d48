/** What sessions are grouped by. */
import type { SessionScore } from './session-score.ts';
import { dayIn, UTC, weekIn } from './time-zone.ts';

type Grouped = Pick<SessionScore, 'model' | 'agent' | 'source' | 'taskType' | 'project' | 'startedAt'>;

const GROUPS = {
  model: modelOf,
  agent: ({ agent, source }: Grouped): string | undefined => agent ?? source,
  'task-type': ({ taskType }: Grouped): string | undefined => taskType,
  project: ({ project }: Grouped): string | undefined => project,
  day: ({ startedAt }: Grouped, zone: string): string | undefined => dayIn(startedAt, zone),
  week: ({ startedAt }: Grouped, zone: string): string | undefined => weekIn(startedAt, zone),
  month: ({ startedAt }: Grouped, zone: string): string | undefined => dayIn(startedAt, zone)?.slice(0, 7),
} as const satisfies Record<string, (session: Grouped, zone: string) => string | undefined>;

export type SessionGroup = keyof typeof GROUPS;

export const SESSION_GROUPS = Object.keys(GROUPS) as readonly SessionGroup[];

/** What a session is grouped by; days, weeks and months are those of the zone. */
export function groupKeyOf(by: SessionGroup, zone: string = UTC): (session: Grouped) => string | undefined {
  return (session) => GROUPS[by](session, zone);
}

/** Their groups come one after the other; those of others by what they cost. */
export function isTimeGroup(by: string): boolean {
  return by === 'day' || by === 'week' || by === 'month' || by === 'block';
}

export function modelOf({ model }: Pick<Grouped, 'model'>): string | undefined {
  return model;
}
