import { type AbArm, armOf } from './assign.ts';
import type { AbPlan } from './plan.ts';

/** One request of an experiment, as its record says. */
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

/** A key with its first request. Requests of one key are alike, so it counts once. */
export type AbUnit = { readonly keyHash: string; readonly arm: AbArm; readonly first: Exposure };

export type Units = {
  readonly units: readonly AbUnit[];
  readonly exposures: number;
  /** Requests that got another arm than the one their key belongs to. */
  readonly misassigned: number;
};

/** `exposures` oldest first. Those in the wrong arm are counted and not used. */
export function unitsOf(plan: Pick<AbPlan, 'id' | 'share'>, exposures: readonly Exposure[]): Units {
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
