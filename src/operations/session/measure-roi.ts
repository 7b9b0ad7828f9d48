/** Quality per dollar by group, and the Pareto frontier of quality and cost. */
import { meanOfMoments } from '../../measure/over-cases.ts';
import { withInterval } from '../../session/measured-session.ts';
import { frontiersFrom, frontiersOf, type TypeFrontier, withDots } from '../../session/pricing/frontier.ts';
import { byCost, type GroupRoi, type RoiRow, roiBy, roiOf } from '../../session/pricing/roi.ts';
import { type PricedSide, type Worth, worthOf } from '../../session/pricing/worth.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import { groupKeyOf, isTimeGroup, SESSION_GROUPS, type SessionGroup } from '../../session/session-groups.ts';
import { hasWholeHours, UTC } from '../../session/time-zone.ts';
import { sdOfMoments } from '../../stats/descriptive.ts';
import type { RollupQuery, SessionRollup } from '../../store/rollup.ts';
import type { SessionSummary } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { askSessions, type ReadReport } from './ask-sessions.ts';
import { inZone } from './list-sessions.ts';
import { addRollups, type SelectedSessions } from './selected-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export type FrontierResult = ReadReport & {
  readonly by: 'model' | 'agent';
  readonly frontiers: readonly TypeFrontier[];
};

export type RoiResult = ReadReport & {
  readonly by: SessionGroup;
  /** The time zone of days, weeks and months. */
  readonly timezone?: string;
  readonly groups: readonly GroupRoi[];
  /** All sessions as one group; absent when none has a Q. */
  readonly total?: RoiRow;
};

/** What sessions can be grouped by. */
export const ROI_GROUPS: readonly string[] = SESSION_GROUPS;

export type RoiRequest = SessionRequest & { readonly by: SessionGroup };

/** Mean Q / mean cost over the sessions with a known cost. */
export function measureRoi(request: RoiRequest, ports: Ports): Promise<RoiResult> {
  const { by, timezone = UTC } = request;
  return askSessions(request, ports, async (asked) => {
    const { groups, total } = await roiOfSelected(asked, by, timezone);
    return { by, timezone, groups: isTimeGroup(by) ? inOrderOfTime(groups) : groups, total };
  });
}

/** Also when a day has several kinds of work. */
function inOrderOfTime(groups: readonly GroupRoi[]): GroupRoi[] {
  return groups.toSorted((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1));
}

export type FrontierRequest = SessionRequest & { readonly by: FrontierResult['by'] };

/** The Pareto frontier per task type, and whether the more expensive of two is worth it. */
export function findFrontier(request: FrontierRequest, ports: Ports): Promise<FrontierResult> {
  const { by } = request;
  return askSessions(request, ports, async (asked) => ({ by, frontiers: await frontiersIn(asked, by) }));
}

type Roi = Pick<RoiResult, 'groups' | 'total'>;

/** From the sessions themselves when they are few or the zone has no whole hours, else from sums. */
export async function roiOfSelected(
  selected: SelectedSessions,
  by: SessionGroup,
  zone: string = UTC,
): Promise<Roi> {
  const each =
    isTimeGroup(by) && !hasWholeHours(zone) ? await selected.list({ order: 'file' }) : await selected.each();
  return each === undefined ? roiFromSums(selected, by, zone) : roiFromEach(each, by, zone);
}

function roiFromEach(sessions: readonly SessionSummary[], by: SessionGroup, zone: string): Roi {
  const [total] = roiBy(sessions, () => 'Total');
  const keyOf = groupKeyOf(by, zone);
  if (by === 'task-type') return { groups: roiBy(sessions, keyOf), total };
  const types = [...Map.groupBy(sessions, ({ taskType }) => taskType)].sort(([a], [b]) => (a < b ? -1 : 1));
  const groups = types.flatMap(([taskType, own]) => roiBy(own, keyOf).map((row) => ({ ...row, taskType })));
  return { groups, total };
}

export async function roiFromSums(
  selected: SelectedSessions,
  by: SessionGroup,
  zone: string = UTC,
): Promise<Roi> {
  const types = [...(await sumsOf(selected, by, zone))].sort(([a], [b]) => (a < b ? -1 : 1));
  const total = rowOf('Total', await selected.total());
  if (by === 'task-type') return { groups: rowsOf(new Map(types.flatMap(([, own]) => [...own]))), total };
  return {
    groups: types.flatMap(([taskType, own]) => rowsOf(own).map((row) => ({ ...row, taskType }))),
    total,
  };
}

/** More dots are unreadable. */
const MOST_DOTS = 2000;

/** The Pareto frontiers, with the sessions behind the means. */
export async function frontiersIn(
  selected: SelectedSessions,
  by: 'model' | 'agent',
): Promise<readonly TypeFrontier[]> {
  const each = await selected.each();
  if (each !== undefined) return withDots(frontiersOf(each, groupKeyOf(by)), each);
  const groups = await sumsOf(selected, by);
  const frontiers = frontiersFrom((taskType) => rowsOf(groups.get(taskType)), worthIn(groups));
  return withDots(frontiers, await selected.list({ order: 'newest', limit: MOST_DOTS }));
}

/** The store query for each grouping. */
const QUERIES: Readonly<Record<SessionGroup, Pick<RollupQuery, 'by' | 'bucket'>>> = {
  model: { by: ['taskType', 'model'] },
  agent: { by: ['taskType', 'agent', 'source'] },
  'task-type': { by: ['taskType'] },
  project: { by: ['taskType', 'project'] },
  day: { by: ['taskType'], bucket: 'day' },
  week: { by: ['taskType'], bucket: 'week' },
  month: { by: ['taskType'], bucket: 'month' },
};

/** Task type → group → its sums. */
type Sums = ReadonlyMap<TaskType, ReadonlyMap<string, SessionRollup>>;

async function sumsOf(selected: SelectedSessions, by: SessionGroup, zone: string = UTC): Promise<Sums> {
  const keyOf = groupKeyOf(by, zone);
  const rollups = await selected.rollup(inZone(QUERIES[by], zone));
  const byType = Map.groupBy(rollups, ({ group }) => group.taskType as TaskType);
  return new Map(
    [...byType].map(([taskType, own]) => {
      const named = Map.groupBy(own, ({ bucket, group }) => keyOf({ ...group, startedAt: bucket }));
      const known = [...named].flatMap(([name, some]) =>
        name === undefined ? [] : [[name, addRollups(some)] as const],
      );
      return [taskType, new Map(known)];
    }),
  );
}

function worthIn(groups: Sums) {
  return (taskType: TaskType, one: string, other: string): Worth | undefined => {
    const own = groups.get(taskType);
    return worthOf(sideOf(own?.get(one)), sideOf(own?.get(other)));
  };
}

function rowsOf(groups: ReadonlyMap<string, SessionRollup> = new Map()): RoiRow[] {
  return [...groups].flatMap(([key, rollup]) => rowOf(key, rollup) ?? []).sort(byCost);
}

function rowOf(key: string, { q, priced }: SessionRollup): RoiRow | undefined {
  const quality = withInterval(meanOfMoments(q, q.n, 'no run of the session could be scored'));
  if (!quality.measured) return undefined;
  const { low, high } = quality;
  const { n } = priced.q;
  const meanCostUsd = n === 0 ? undefined : priced.sumUsd / n;
  return {
    key,
    n: q.n,
    meanQ: quality.value,
    ...(low !== undefined && high !== undefined && { interval: { low, high } }),
    priced: n,
    ...(meanCostUsd !== undefined && { meanCostUsd, totalCostUsd: priced.sumUsd }),
    ...(priced.atLeast > 0 && { costIsLowerBound: true }),
    roi: roiOf(n === 0 ? quality.value : priced.q.sum / n, meanCostUsd),
  };
}

function sideOf(rollup: SessionRollup | undefined): PricedSide | undefined {
  if (rollup === undefined || rollup.priced.q.n === 0) return undefined;
  const { q, sumUsd, atLeast } = rollup.priced;
  return { n: q.n, meanQ: q.sum / q.n, sdQ: sdOfMoments(q), meanCost: sumUsd / q.n, atLeast: atLeast > 0 };
}
