/** What routing knows of the past: sessions of one day, kind of work, project and model, added up. */
import type { TaskType } from '../profiles/task-type.ts';

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
