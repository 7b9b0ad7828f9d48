/** What routing knows of the past: sessions of one day, kind of work, project and model, added up. */
import type { TaskType } from '../profiles/task-type.ts';
import type { SessionScore } from '../session-score.ts';
import { dayIn, UTC } from '../time-zone.ts';

/** Only sessions with a Q, a cost, a model and a day: of others it cannot be told what they gave for what. */
export type RouteCell = {
  readonly day: string;
  readonly taskType: TaskType;
  readonly project: string;
  readonly model: string;
  readonly n: number;
  /** Sums over the sessions. */
  readonly q: number;
  readonly qSquares: number;
  readonly costUsd: number;
  /** Of those of them that have one. */
  readonly outcome: { readonly n: number; readonly sum: number };
};

/** Sessions whose project is not known have this one in common. */
export const NO_PROJECT = '';

type Routed = Pick<
  SessionScore,
  'taskType' | 'model' | 'project' | 'startedAt' | 'q' | 'costUsd' | 'categories'
>;

export function cellsOf(sessions: Iterable<Routed>): RouteCell[] {
  const cells = new Map<string, Writable<RouteCell>>();
  for (const { taskType, model, project = NO_PROJECT, startedAt, q, costUsd, categories } of sessions) {
    const day = dayIn(startedAt, UTC);
    if (model === undefined || day === undefined || q === undefined || costUsd === undefined) continue;
    const key = JSON.stringify([day, taskType, project, model]);
    let cell = cells.get(key);
    if (cell === undefined) {
      const empty = { n: 0, q: 0, qSquares: 0, costUsd: 0, outcome: { n: 0, sum: 0 } };
      cell = { day, taskType, project, model, ...empty };
      cells.set(key, cell);
    }
    cell.n += 1;
    cell.q += q;
    cell.qSquares += q * q;
    cell.costUsd += costUsd;
    const { outcome } = categories;
    if (outcome !== undefined) cell.outcome = { n: cell.outcome.n + 1, sum: cell.outcome.sum + outcome };
  }
  return [...cells.values()];
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
