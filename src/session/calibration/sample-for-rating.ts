/**
 * Draws sessions for a user to rate: a seeded sample that covers the task types and the range of Q. Neither the result
 * nor its order reveals Q, so that the rating stays blind.
 */
import { type Random, random } from '../../stats/random.ts';
import type { TaskType } from '../profiles/task-type.ts';
import { withQ } from '../score.ts';

export type Ratable = {
  readonly sessionId: string;
  readonly taskType: TaskType;
  readonly q?: number | undefined;
};

export type RatingSample = {
  /** In random order. */
  readonly sessions: readonly { readonly sessionId: string; readonly taskType: TaskType }[];
  /** The number of sessions to draw from, and of those without a Q, which are skipped. */
  readonly from: number;
  readonly withoutQ: number;
};

type Known = Ratable & { readonly q: number };
type Stratum = {
  readonly taskType: TaskType;
  readonly tier: string;
  /** By Q, then by id. */
  readonly sessions: readonly Known[];
  take: number;
};

export const DEFAULT_SAMPLE = 20;

export function sampleForRating(
  sessions: readonly Ratable[],
  { n = DEFAULT_SAMPLE, seed = 1 }: { readonly n?: number; readonly seed?: number } = {},
): RatingSample {
  const distinct = [...new Map(sessions.map((one) => [one.sessionId, one])).values()];
  const known = distinct.filter((one): one is Known => one.q !== undefined);
  const cells = cellsOf(known);
  allot(cells, Math.min(n, known.length));
  const source = random(seed);
  const drawn = cells.flatMap((cell) => drawAlong(cell.sessions, cell.take, source));
  return {
    sessions: shuffled(drawn, source).map(({ sessionId, taskType }) => ({ sessionId, taskType })),
    from: known.length,
    withoutQ: distinct.length - known.length,
  };
}

/** Task type × tier, sorted independently of the input order. */
function cellsOf(sessions: readonly Known[]): Stratum[] {
  const cells = new Map<string, Known[]>();
  for (const session of sessions) {
    const key = `${session.taskType} ${withQ(session.q).tier ?? ''}`;
    const own = cells.get(key);
    if (own === undefined) cells.set(key, [session]);
    else own.push(session);
  }
  return [...cells]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, own]) => {
      const [taskType, tier = ''] = key.split(' ') as [TaskType, string?];
      return {
        taskType,
        tier,
        take: 0,
        sessions: own.sort((a, b) => a.q - b.q || (a.sessionId < b.sessionId ? -1 : 1)),
      };
    });
}

/**
 * Allots one place at a time: first to a task type without one, then to a tier without one, then in proportion to size
 * (Sainte-Laguë: the most sessions per place).
 */
function allot(cells: readonly Stratum[], places: number): void {
  for (let place = 0; place < places; place++) {
    const open = cells.filter((cell) => cell.take < cell.sessions.length);
    const taken = cells.filter((cell) => cell.take > 0);
    const need = (cell: Stratum) =>
      (taken.some((one) => one.taskType === cell.taskType) ? 0 : 2) +
      (taken.some((one) => one.tier === cell.tier) ? 0 : 1);
    const claim = (cell: Stratum) => cell.sessions.length / (2 * cell.take + 1);
    const [first] = open.sort((a, b) => need(b) - need(a) || claim(b) - claim(a));
    if (first !== undefined) first.take += 1;
  }
}

/** Draws one from each of `take` equal parts of the cell, so that its range of Q is covered too. */
function drawAlong(sessions: readonly Known[], take: number, source: Random): Known[] {
  return Array.from({ length: take }, (_, i) => {
    const from = Math.floor((i * sessions.length) / take);
    const to = Math.floor(((i + 1) * sessions.length) / take);
    return sessions[from + source.below(to - from)] as Known;
  });
}

export function shuffled<T>(items: readonly T[], source: Random): T[] {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = source.below(i + 1);
    [mixed[i], mixed[j]] = [mixed[j] as T, mixed[i] as T];
  }
  return mixed;
}
