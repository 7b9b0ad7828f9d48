/** What stored sessions come to by group, from sums; sessions of a group only as many as are listed of it. */
import { meanOfMoments } from '../../measure/over-cases.ts';
import { sortGroups } from '../../session/list-totals.ts';
import type { ListedGroup, ListedSession, SessionTotals } from '../../session/results.ts';
import { groupKeyOf, isTimeGroup, type SessionGroup } from '../../session/session-groups.ts';
import { UTC } from '../../session/time-zone.ts';
import type { RollupQuery, SessionRollup } from '../../store/rollup.ts';
import { addRollups, type StoredScores } from './stored-scores.ts';

/** The models of a group are told with it. */
const QUERIES: Readonly<Record<SessionGroup, Pick<RollupQuery, 'by' | 'bucket'>>> = {
  model: { by: ['model'] },
  agent: { by: ['agent', 'source', 'model'] },
  'task-type': { by: ['taskType', 'model'] },
  project: { by: ['project', 'model'] },
  day: { by: ['model'], bucket: 'day' },
  week: { by: ['model'], bucket: 'week' },
  month: { by: ['model'], bucket: 'month' },
};

/** Groups without their sessions. */
export async function storedListGroups(
  stored: StoredScores,
  by: SessionGroup,
  zone: string = UTC,
): Promise<ListedGroup[]> {
  // Days of a zone are made of hours, those of UTC are kept.
  const hours = isTimeGroup(by) && zone !== UTC ? ({ bucket: 'hour' } as const) : {};
  const rollups = await stored.rollup({ ...QUERIES[by], ...hours });
  const groups = [...Map.groupBy(rollups, (one) => keyOf(one, by, zone))].map(([key, own]) => ({
    key,
    ...totalsOfRollup(addRollups(own)),
    models: [...new Set(own.flatMap(({ group }) => group.model ?? []))].sort(),
    listed: [] as ListedSession[],
  }));
  return sortGroups(groups, by);
}

/** As a session of the group would say. */
function keyOf({ bucket, group }: SessionRollup, by: SessionGroup, zone: string): string | undefined {
  const { source = '', taskType = '', model, agent, project } = group;
  const startedAt = bucket === undefined ? undefined : Date.parse(bucket);
  // The scorer wrote the task type.
  return groupKeyOf(by, zone)({ source, taskType: taskType as 'coding', model, agent, project, startedAt });
}

/** What `totalsOf` would say of the sessions. */
export function totalsOfRollup({ sessions, q, turns, tokens, cost }: SessionRollup): SessionTotals {
  return {
    sessions,
    q: meanOfMoments(q, sessions, 'no run of the session could be scored'),
    turns,
    usage: tokens,
    ...(cost.n > 0 && { costUsd: cost.sumUsd }),
    costUnknown: sessions - cost.n,
    costIsLowerBound: cost.atLeast > 0,
  };
}
