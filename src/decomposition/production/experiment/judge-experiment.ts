import {
  type ArmValue,
  type DifferenceSequence,
  differenceSequence,
  sampleRatioP,
} from '../../../stats/confidence-sequence.ts';
import { type AbArm, armOf } from './assign.ts';
import type { AbPlan, Guards } from './plan.ts';

export type GuardReading = {
  readonly guard: keyof Guards;
  /** In its own unit: a share, milliseconds, dollars. */
  readonly means: readonly [number | undefined, number | undefined];
  readonly n: readonly [number, number];
  readonly low: number;
  readonly high: number;
  readonly margin: number;
  /** Worse than the margin allows, for certain. */
  readonly crossed: boolean;
};

export type Distrust =
  /** Requests were answered with the prompt of the other arm. */
  | { readonly kind: 'misassigned'; readonly count: number; readonly of: number }
  /** The arms were not filled as planned. */
  | { readonly kind: 'sample ratio'; readonly n: readonly [number, number]; readonly p: number }
  /** They were, but what came of it is known more often in one of them. */
  | { readonly kind: 'outcome ratio'; readonly n: readonly [number, number]; readonly p: number };

export type ExperimentReading = {
  readonly plan: AbPlan;
  readonly exposures: number;
  readonly keys: readonly [number, number];
  readonly primary: DifferenceSequence;
  readonly guards: readonly GuardReading[];
  readonly distrust: readonly Distrust[];
  readonly verdict: ExperimentVerdict;
  /** Nothing is won by going on. */
  readonly over: boolean;
  /** How many keys with a known outcome may be needed in all until a difference that matters is told; rough. */
  readonly mayNeed?: number;
};

/** Strict, because one true alarm stops everything; it may be looked at as often as anyone likes. */
const RATIO_LEVEL = 0.001;

/** Up to here a wrong arm is a slip (a cache that was warm), and the ratio of the arms tells the rest. */
const MISASSIGNED_SHARE = 0.01;

/**
 * Where counting stops: twice what the documented alerts call too much. A bounded value is what makes the inference
 * exact; a request that took a minute counts as one that took ten seconds.
 */
const CAPS: Guards = { errors: 1, latencyMs: 10_000, costUsd: 0.2 };

const GUARD_VALUES: Readonly<Record<keyof Guards, (first: Exposure) => number | undefined>> = {
  errors: ({ status }) => (status === 'error' ? 1 : 0),
  latencyMs: ({ latencyMs }) => latencyMs,
  costUsd: ({ costUsd }) => costUsd,
};

/** `exposures` by time, `outcomes` by when they became known: looking again later must only add to their ends. */
export function judgeExperiment(
  plan: AbPlan,
  exposures: readonly Exposure[],
  outcomes: readonly Outcome[],
): ExperimentReading {
  const { units, misassigned } = unitsOf(plan, exposures);
  const known = firstOutcomes(units, outcomes);
  const primary = differenceSequence(known, plan.share, plan.confidence);
  const guards = guardNames.map((guard) => readGuard(plan, guard, units));
  const distrust = distrustOf(plan, units, known, { misassigned, exposures: exposures.length });
  const verdict = verdictOf(plan, primary, guards, distrust);
  const mayNeed = verdict === 'too early to tell' ? keysNeeded(plan, primary) : undefined;
  return {
    plan,
    exposures: exposures.length,
    keys: countArms(units.map(({ arm }) => arm === 'candidate')),
    primary,
    guards,
    distrust,
    verdict,
    over: verdict !== 'too early to tell',
    mayNeed,
  };
}

const guardNames = ['errors', 'latencyMs', 'costUsd'] as const satisfies readonly (keyof Guards)[];

/** The first word on each key counts: one that could be replaced later would be no fair bet. */
function firstOutcomes(units: readonly AbUnit[], outcomes: readonly Outcome[]): ArmValue[] {
  const arms = new Map(units.map(({ keyHash, arm }) => [keyHash, arm]));
  const seen = new Set<string>();
  return outcomes.flatMap(({ keyHash, value }) => {
    const arm = arms.get(keyHash);
    if (arm === undefined || seen.has(keyHash)) return [];
    seen.add(keyHash);
    return [{ inSecond: arm === 'candidate', value }];
  });
}

function readGuard(plan: AbPlan, guard: keyof Guards, units: readonly AbUnit[]): GuardReading {
  const cap = CAPS[guard];
  const values = units.flatMap(({ arm, first }) => {
    const value = GUARD_VALUES[guard](first);
    return value === undefined ? [] : [{ inSecond: arm === 'candidate', value: Math.min(value, cap) / cap }];
  });
  // Together they stop an experiment for nothing no more often than its confidence says.
  const confidence = 1 - (1 - plan.confidence) / guardNames.length;
  const { means, n, interval } = differenceSequence(values, plan.share, confidence);
  const margin = plan.guards[guard];
  const [low, high] = [interval.low * cap, interval.high * cap];
  const inUnit = (mean: number | undefined) => (mean === undefined ? undefined : mean * cap);
  return { guard, means: [inUnit(means[0]), inUnit(means[1])], n, low, high, margin, crossed: low > margin };
}

function distrustOf(
  { share }: AbPlan,
  units: readonly AbUnit[],
  known: readonly ArmValue[],
  { misassigned, exposures }: { readonly misassigned: number; readonly exposures: number },
): Distrust[] {
  const all = units.map(({ arm }) => arm === 'candidate');
  const withOutcome = known.map(({ inSecond }) => inSecond);
  const [allP, outcomeP] = [sampleRatioP(all, share), sampleRatioP(withOutcome, share)];
  const wrong = misassigned > MISASSIGNED_SHARE * exposures;
  const unevenly = allP > RATIO_LEVEL && outcomeP <= RATIO_LEVEL;
  return [
    ...(wrong ? [{ kind: 'misassigned', count: misassigned, of: exposures } as const] : []),
    ...(allP <= RATIO_LEVEL ? [{ kind: 'sample ratio', n: countArms(all), p: allP } as const] : []),
    ...(unevenly ? [{ kind: 'outcome ratio', n: countArms(withOutcome), p: outcomeP } as const] : []),
  ];
}

function verdictOf(
  { smallestEffect }: AbPlan,
  { interval: { low, high } }: DifferenceSequence,
  guards: readonly GuardReading[],
  distrust: readonly Distrust[],
): ExperimentVerdict {
  if (distrust.length > 0) return 'not to be trusted';
  if (guards.some(({ crossed }) => crossed)) return 'guard rail crossed';
  if (low > 0) return 'candidate better';
  if (high < 0) return 'candidate worse';
  if (low > -smallestEffect && high < smallestEffect) return 'no difference that matters';
  return 'too early to tell';
}

/** The width of the interval falls with the root of what is known. */
function keysNeeded({ smallestEffect }: AbPlan, { n, interval }: DifferenceSequence): number | undefined {
  const known = n[0] + n[1];
  const half = (interval.high - interval.low) / 2;
  // So early the interval is the whole range, which says nothing of how fast it will shrink.
  return known < 30 || half >= 1 ? undefined : Math.ceil(known * (half / smallestEffect) ** 2);
}

function countArms(isSecond: readonly boolean[]): readonly [number, number] {
  const second = isSecond.filter(Boolean).length;
  return [isSecond.length - second, second];
}

export type Exposure = {
  readonly id: string;
  readonly at: string;
  readonly status: 'ok' | 'error';
  readonly latencyMs?: number;
  readonly costUsd?: number;
  readonly experiment: { readonly arm: string; readonly keyHash: string };
};

/** What became known of a request, between 0 and 1, and when. */
export type Outcome = { readonly at: string; readonly keyHash: string; readonly value: number };

type AbUnit = { readonly keyHash: string; readonly arm: AbArm; readonly first: Exposure };

type Units = {
  readonly units: readonly AbUnit[];
  readonly exposures: number;
  /** Requests that got another arm than the one their key belongs to. */
  readonly misassigned: number;
};

/** `exposures` oldest first. Those in the wrong arm are counted and not used. */
function unitsOf(plan: Pick<AbPlan, 'id' | 'share'>, exposures: readonly Exposure[]): Units {
  const units = new Map<string, AbUnit>();
  let misassigned = 0;
  for (const first of exposures) {
    const { arm: given, keyHash } = first.experiment;
    const arm = units.get(keyHash)?.arm ?? armOf(plan, keyHash);
    if (given !== arm) misassigned++;
    else if (!units.has(keyHash)) units.set(keyHash, { keyHash, arm, first });
  }
  return { units: [...units.values()], exposures: exposures.length, misassigned };
}

export const EXPERIMENT_VERDICTS = [
  'not to be trusted',
  'guard rail crossed',
  'candidate better',
  'candidate worse',
  'no difference that matters',
  'too early to tell',
] as const;

export type ExperimentVerdict = (typeof EXPERIMENT_VERDICTS)[number];
