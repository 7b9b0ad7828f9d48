/**
 * A past whose truth is known. Projects differ in how hard their tasks are and in which models they were given to, days
 * differ by luck: a comparison that looks at neither is wrong by a known amount.
 */
import { normalQuantile } from '../../../stats/distributions.ts';
import { type Random, random } from '../../../stats/random.ts';
import type { RouteCell } from '../level.ts';
import { type RoutePolicy, type RouteWishes, USUAL_WISHES } from '../policy.ts';

export type World = {
  readonly days: number;
  readonly sessionsADay: number;
  /** `failing`: the share of its sessions that fail, where that does not follow from Q. */
  readonly models: readonly {
    readonly model: string;
    readonly q: number;
    readonly costUsd: number;
    readonly failing?: number;
  }[];
  readonly projects: readonly {
    readonly project: string;
    /** Added to the Q of every model. */
    readonly ease: number;
    /** Times the cost of every model. */
    readonly size: number;
    /** How often each model is taken there. */
    readonly shares: readonly number[];
  }[];
};

/** The strong model got the hard project. */
export const WORLD: World = {
  days: 60,
  sessionsADay: 12,
  models: [
    { model: 'small', q: 0.7, costUsd: 0.2, failing: 0.2 },
    { model: 'large', q: 0.75, costUsd: 1, failing: 0.2 },
    { model: 'weak', q: 0.45, costUsd: 0.1, failing: 0.5 },
  ],
  projects: [
    { project: 'hard', ease: -0.15, size: 2, shares: [0.2, 0.7, 0.1] },
    { project: 'easy', ease: 0.1, size: 0.5, shares: [0.6, 0.2, 0.2] },
  ],
};

/** Its models reach this, or nearly. */
export const WISHES: RouteWishes = { ...USUAL_WISHES, floor: 0.5, margin: 0.1 };

const LUCK_OF_DAYS = 0.05;
const LUCK_OF_SESSIONS = 0.15;
const DAY_MS = 86_400_000;

export function pastOf(world: World, seed: number): RouteCell[] {
  const source = random(seed);
  const sessions = Array.from({ length: world.days }, (_, day) => {
    const luck = LUCK_OF_DAYS * normalOf(source);
    return Array.from({ length: world.sessionsADay }, () => {
      const { project, ease, size, shares } = pick(world.projects, source);
      const { model, q, costUsd, failing } = pickBy(world.models, shares, source);
      const own = q + ease + luck + LUCK_OF_SESSIONS * normalOf(source);
      const fails = failing === undefined ? own < 0.6 : source.bits() / 2 ** 32 < failing;
      return {
        taskType: 'coding' as const,
        model,
        project,
        startedAt: Date.UTC(2026, 0, 1) + day * DAY_MS,
        q: own,
        failures: Number(fails),
        costUsd: costUsd * size * Math.exp(0.5 * normalOf(source) - 0.125),
      };
    });
  }).flat();
  return cellsOf(sessions);
}

type Past = Pick<RouteCell, 'taskType' | 'project' | 'model' | 'q' | 'costUsd' | 'failures'> & {
  readonly startedAt: number;
};

function cellsOf(sessions: readonly Past[]): RouteCell[] {
  const cells = Map.groupBy(sessions, ({ startedAt, project, model }) =>
    JSON.stringify([startedAt, project, model]),
  );
  return [...cells.values()].map((own) => {
    const { startedAt, taskType, project, model } = own[0] as Past;
    const sum = (of: (one: Past) => number) => own.reduce((total, one) => total + of(one), 0);
    return {
      day: new Date(startedAt).toISOString().slice(0, 10),
      taskType,
      project,
      model,
      n: own.length,
      q: sum(({ q }) => q),
      qSquares: sum(({ q }) => q * q),
      costUsd: sum(({ costUsd }) => costUsd),
      failures: sum(({ failures }) => failures),
      outcome: { n: 0, sum: 0 },
    };
  });
}

/** What a policy would truly change on these sessions, in all. */
export function trueChange(world: World, cells: readonly RouteCell[], policy: Pick<RoutePolicy, 'types'>) {
  const route = policy.types.find(({ taskType }) => taskType === 'coding');
  let [n, q, costUsd] = [0, 0, 0];
  for (const cell of cells) {
    n += cell.n;
    const project = world.projects.find((one) => one.project === cell.project);
    const own = world.models.find(({ model }) => model === cell.model);
    if (route?.answer !== 'route' || project === undefined || own === undefined) continue;
    for (const { model, share } of route.arms) {
      const other = world.models.find((one) => one.model === model);
      q += cell.n * share * ((other?.q ?? 0) - own.q);
      costUsd += cell.n * share * project.size * ((other?.costUsd ?? 0) - own.costUsd);
    }
  }
  return { n, q, costUsd };
}

function normalOf(source: Random): number {
  return normalQuantile((source.bits() + 0.5) / 2 ** 32);
}

function pick<T>(all: readonly T[], source: Random): T {
  return all[source.below(all.length)] as T;
}

function pickBy<T>(all: readonly T[], shares: readonly number[], source: Random): T {
  let left = source.bits() / 2 ** 32;
  const place = shares.findIndex((share) => {
    left -= share;
    return left < 0;
  });
  return all.at(place) as T;
}
