import { type RoiRow, roiBy } from '../../session/pricing/roi.ts';
import type { GroupRoi, RoiResult } from '../../session/results.ts';
import { groupKeyOf, isTimeGroup, SESSION_GROUPS, type SessionGroup } from '../../session/session-groups.ts';
import type { SessionScore } from '../../session/session-score.ts';
import { hasWholeHours, UTC } from '../../session/time-zone.ts';
import type { Ports } from '../ports.ts';
import { askSessions } from './ask-sessions.ts';
import type { SessionRequest } from './session-request.ts';
import { storedRoi, storedTotal } from './stored-roi.ts';
import { type StoredScores, scoreOf } from './stored-scores.ts';

/** What sessions can be grouped by. */
export const ROI_GROUPS: readonly string[] = SESSION_GROUPS;

export type RoiRequest = SessionRequest & { readonly by: SessionGroup };

/** Mean Q / mean cost over the sessions whose cost is known. */
export function measureRoi(request: RoiRequest, ports: Ports): Promise<RoiResult> {
  const { by, timezone = UTC } = request;
  return askSessions(request, ports, async (asked) => ({
    by,
    timezone,
    ...(await groupsOf(asked, by, timezone)),
  }));
}

type Groups = Pick<RoiResult, 'groups' | 'total'>;

async function groupsOf(stored: StoredScores, by: SessionGroup, zone: string): Promise<Groups> {
  const each = await stored.each();
  if (each !== undefined) return roiOfEach(each, by, zone);
  // Sums are by the hour of UTC.
  if (isTimeGroup(by) && !hasWholeHours(zone))
    return roiOfEach((await stored.list({})).map(scoreOf), by, zone);
  const groups = await storedRoi(stored, by, zone);
  return withTotal(isTimeGroup(by) ? inOrderOfTime(groups) : groups, await storedTotal(stored));
}

function roiOfEach(sessions: readonly SessionScore[], by: SessionGroup, zone: string): Groups {
  const [total] = roiBy(sessions, () => 'Total');
  const keyOf = groupKeyOf(by, zone);
  if (by === 'task-type') return withTotal(roiBy(sessions, keyOf), total);
  const groups = perType(sessions, keyOf);
  return withTotal(isTimeGroup(by) ? inOrderOfTime(groups) : groups, total);
}

function withTotal(groups: readonly GroupRoi[], total: RoiRow | undefined): Groups {
  return { groups, total };
}

/** Also where a day has several kinds of work. */
function inOrderOfTime(groups: readonly GroupRoi[]): GroupRoi[] {
  return groups.toSorted((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1));
}

function perType(
  sessions: readonly SessionScore[],
  keyOf: (one: SessionScore) => string | undefined,
): GroupRoi[] {
  const types = [...new Set(sessions.map(({ taskType }) => taskType))].sort();
  return types.flatMap((taskType) => {
    const own = sessions.filter((session) => session.taskType === taskType);
    return roiBy(own, keyOf).map((row) => ({ ...row, taskType }));
  });
}
