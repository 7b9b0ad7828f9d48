import { roiBy } from '../../session/pricing/roi.ts';
import type { GroupRoi, RoiResult } from '../../session/results.ts';
import { isTimeGroup, SESSION_GROUPS, type SessionGroup } from '../../session/session-groups.ts';
import type { SessionScore } from '../../session/session-score.ts';
import type { Ports } from '../ports.ts';
import { collectSessions } from './collect-sessions.ts';
import type { SessionRequest } from './session-request.ts';
import { storedRoi } from './stored/stored-roi.ts';
import { answerStored, type StoredScores } from './stored/stored-scores.ts';

/** What sessions can be grouped by. */
export const ROI_GROUPS = Object.keys(SESSION_GROUPS);

export type RoiRequest = SessionRequest & { readonly by: SessionGroup };

/** Mean Q / mean cost over the sessions whose cost is known. */
export async function measureRoi(request: RoiRequest, ports: Ports): Promise<RoiResult> {
  const { by } = request;
  const groups = await answerStored(request, ports, (stored) => storedGroups(stored, by));
  if (groups !== undefined) return { by, groups, unreadable: [] };
  return collectSessions(request, ports, ({ sessions }) => {
    const scores = sessions.map(({ session }) => session);
    return { by, groups: roiOfEach(scores, by) };
  });
}

async function storedGroups(stored: StoredScores, by: SessionGroup): Promise<GroupRoi[]> {
  const groups = await storedRoi(stored, by);
  const each = await stored.each();
  if (each !== undefined) return roiOfEach(each, by);
  return isTimeGroup(by) ? inOrderOfTime(groups) : groups;
}

function roiOfEach(sessions: readonly SessionScore[], by: SessionGroup): GroupRoi[] {
  return by === 'task-type' ? roiBy(sessions, SESSION_GROUPS[by]) : roiPerType(sessions, by);
}

function roiPerType(sessions: readonly SessionScore[], by: SessionGroup): GroupRoi[] {
  if (isTimeGroup(by)) return inOrderOfTime(perType(sessions, by));
  return perType(sessions, by);
}

/** Also where a day has several kinds of work. */
function inOrderOfTime(groups: readonly GroupRoi[]): GroupRoi[] {
  return groups.toSorted((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1));
}

function perType(sessions: readonly SessionScore[], by: SessionGroup): GroupRoi[] {
  const types = [...new Set(sessions.map(({ taskType }) => taskType))].sort();
  return types.flatMap((taskType) => {
    const own = sessions.filter((session) => session.taskType === taskType);
    return roiBy(own, SESSION_GROUPS[by]).map((row) => ({ ...row, taskType }));
  });
}
