import { type Random, random } from '../stats/random.ts';

/**
 * Chance in a test that a failing run can repeat: `test/run-setup.ts` chooses the seed of a run, or takes the one
 * in ASSAY_SEED, and a failing run prints it. The properties of fast-check start from the same one.
 */
export function seededByRun(): Random {
  return random(Number(process.env.ASSAY_SEED));
}
