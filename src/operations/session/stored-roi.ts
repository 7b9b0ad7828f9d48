import { meanOfMoments } from '../../measure/over-cases.ts';
import {
  type ComparedFrontier,
  comparedFrontiers,
  compareModelPairs,
  comparePairs,
  frontiersFrom,
  type TypeFrontier,
} from '../../session/pricing/frontier.ts';
import { byCost, type RoiRow, roiOf } from '../../session/pricing/roi.ts';
import { type PricedSide, type Worth, worthOf } from '../../session/pricing/worth.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import { groupKeyOf, type SessionGroup } from '../../session/session-groups.ts';
import { dayIn, UTC, weekIn } from '../../session/time-zone.ts';
import { sdOfMoments } from '../../stats/descriptive.ts';
import type { RollupQuery, SessionRollup } from '../../store/rollup.ts';
import { addRollups, type StoredScores } from './stored-scores.ts';

/** How the groups of sessions are read from sums. */
const GROUPINGS: Readonly<
  Record<
    SessionGroup,
    Pick<RollupQuery, 'by' | 'bucket'> & { key: (one: SessionRollup, zone: string) => string | undefined }
  >
> = {
  model: { by: ['taskType', 'model'], key: ({ group }) => group.model },
  agent: { by: ['taskType', 'agent', 'source'], key: ({ group }) => group.agent ?? group.source },
  'task-type': { by: ['taskType'], key: ({ group }) => group.taskType },
  project: { by: ['taskType', 'project'], key: ({ group }) => group.project },
  day: { by: ['taskType'], bucket: 'day', key: ({ bucket }, zone) => dayIn(timeOf(bucket), zone) },
  week: { by: ['taskType'], bucket: 'week', key: ({ bucket }, zone) => weekIn(timeOf(bucket), zone) },
  month: {
    by: ['taskType'],
    bucket: 'month',
    key: ({ bucket }, zone) => dayIn(timeOf(bucket), zone)?.slice(0, 7),
  },
};

function timeOf(bucket: string | undefined): number | undefined {
  return bucket === undefined ? undefined : Date.parse(bucket);
}

/** Task type → group → its sums. */
type Groups = ReadonlyMap<TaskType, ReadonlyMap<string, SessionRollup>>;

async function groupsOf(stored: StoredScores, by: SessionGroup, zone: string = UTC): Promise<Groups> {
  const { key, ...query } = GROUPINGS[by];
  // Days of a zone are made of hours, those of UTC are kept.
  const hours = query.bucket !== undefined && zone !== UTC ? ({ bucket: 'hour' } as const) : {};
  const byType = Map.groupBy(
    await stored.rollup({ ...query, ...hours }),
    ({ group }) => group.taskType as TaskType,
  );
  return new Map(
    [...byType].map(([taskType, rollups]) => {
      const named = Map.groupBy(rollups, (one) => key(one, zone));
      const known = [...named].flatMap(([name, some]) =>
        name === undefined ? [] : [[name, some.length === 1 ? some[0] : addRollups(some)] as const],
      );
      return [taskType, new Map(known as [string, SessionRollup][])];
    }),
  );
}

export async function storedRoi(stored: StoredScores, by: SessionGroup, zone?: string) {
  const groups = [...(await groupsOf(stored, by, zone))].sort(([a], [b]) => (a < b ? -1 : 1));
  if (by === 'task-type') return rowsOf(new Map(groups.flatMap(([, some]) => [...some])));
  return groups.flatMap(([taskType, some]) => rowsOf(some).map((row) => ({ ...row, taskType })));
}

export async function storedFrontiers(
  stored: StoredScores,
  by: 'model' | 'agent',
): Promise<readonly ComparedFrontier[]> {
  const groups = await groupsOf(stored, by);
  const each = await stored.each();
  if (each !== undefined) return comparedFrontiers(each, groupKeyOf(by));
  return comparePairs(frontiersIn(groups), worthIn(groups));
}

/** By model, for an overview: what nothing beats for less, and whether the more expensive of two is worth it. */
export async function storedModels(stored: StoredScores) {
  const groups = await groupsOf(stored, 'model');
  const models = compareModelPairs((taskType) => rowsOf(groups.get(taskType)), worthIn(groups));
  return { frontiers: frontiersIn(groups), models };
}

function frontiersIn(groups: Groups): TypeFrontier[] {
  return frontiersFrom((taskType) => rowsOf(groups.get(taskType)));
}

function worthIn(groups: Groups) {
  return (taskType: TaskType, one: string, other: string): Worth | undefined => {
    const own = groups.get(taskType);
    return worthOf(sideOf(own?.get(one)), sideOf(own?.get(other)));
  };
}

/** All of them as one row; undefined where none has a Q. */
export async function storedTotal(stored: StoredScores): Promise<RoiRow | undefined> {
  return rowOf('Total', await stored.total());
}

function rowsOf(groups: ReadonlyMap<string, SessionRollup> = new Map()): RoiRow[] {
  return [...groups].flatMap(([key, rollup]) => rowOf(key, rollup) ?? []).sort(byCost);
}

function rowOf(key: string, { q, priced }: SessionRollup): RoiRow | undefined {
  const quality = meanOfMoments(q, q.n, 'no run of the session could be scored');
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
    roi: roiOf(n === 0 ? undefined : priced.q.sum / n, meanCostUsd),
  };
}

function sideOf(rollup: SessionRollup | undefined): PricedSide | undefined {
  if (rollup === undefined || rollup.priced.q.n === 0) return undefined;
  const { q, sumUsd, atLeast } = rollup.priced;
  return { n: q.n, meanQ: q.sum / q.n, sdQ: sdOfMoments(q), meanCost: sumUsd / q.n, atLeast: atLeast > 0 };
}
