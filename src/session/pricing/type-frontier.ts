/** The frontier per kind of task: what is dear for chat may be cheap for coding. */
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import type { SessionScore } from '../session-score.ts';
import { type PricedRow, pricedRows } from './compare-models.ts';
import { frontier, type Placed } from './frontier.ts';
import { type RoiRow, roiBy } from './roi.ts';
import { isWorthIt, MIN_SESSIONS, type Worth } from './worth.ts';

export type TypeFrontier = { readonly taskType: TaskType; readonly points: readonly Placed<PricedRow>[] };

export type WorthOfDearer = { readonly dearer: string; readonly cheaper: string; readonly worth: Worth };

export type ComparedFrontier = TypeFrontier & { readonly comparisons: readonly WorthOfDearer[] };

type KeyOf = (session: SessionScore) => string | undefined;

export function frontiersOf(sessions: readonly SessionScore[], keyOf: KeyOf): TypeFrontier[] {
  return frontiersFrom((taskType) => roiBy(ofType(sessions, taskType), keyOf));
}

export function frontiersFrom(rowsOf: (taskType: TaskType) => readonly RoiRow[]): TypeFrontier[] {
  return TASK_TYPES.flatMap((taskType) => {
    const points = frontier(pricedRows(rowsOf(taskType)));
    return points.length === 0 ? [] : [{ taskType, points }];
  });
}

/** With each compared with the next cheaper one, and every two that have enough sessions. */
export function comparedFrontiers(sessions: readonly SessionScore[], keyOf: KeyOf): ComparedFrontier[] {
  return comparePairs(frontiersOf(sessions, keyOf), (taskType, dearer, cheaper) => {
    const own = ofType(sessions, taskType);
    const pick = (key: string) => own.filter((session) => keyOf(session) === key);
    return isWorthIt(pick(dearer), pick(cheaper));
  });
}

export function comparePairs(
  frontiers: readonly TypeFrontier[],
  worthOf: (taskType: TaskType, dearer: string, cheaper: string) => Worth | undefined,
): ComparedFrontier[] {
  return frontiers.map(({ taskType, points }) => {
    const comparisons = points.flatMap((dearer, i) =>
      points.slice(0, i).flatMap((cheaper, j) => {
        const isEnough = Math.min(dearer.priced, cheaper.priced) >= MIN_SESSIONS;
        const worth = j === i - 1 || isEnough ? worthOf(taskType, dearer.key, cheaper.key) : undefined;
        return worth === undefined ? [] : [{ dearer: dearer.key, cheaper: cheaper.key, worth }];
      }),
    );
    return { taskType, points, comparisons };
  });
}

function ofType(sessions: readonly SessionScore[], taskType: TaskType): SessionScore[] {
  return sessions.filter((session) => session.taskType === taskType);
}
