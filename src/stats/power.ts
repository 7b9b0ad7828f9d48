import { checkCount, checkShare } from './check-input.ts';
import { normalQuantile, studentTQuantile } from './distributions.ts';

export type PowerOptions = {
  /**
   * 'paired' (the default): n items, each measured under both arms; `sd` is that of the differences.
   * 'two-arms': n runs in each of two arms; `sd` is that of the runs of one arm.
   */
  readonly design?: 'paired' | 'two-arms';
  /** The chance to see an effect that is there; 0.8 unless told. */
  readonly power?: number;
  /** The chance to see one that is not; two-sided, 0.05 unless told. */
  readonly alpha?: number;
  /**
   * 'normal' takes z where the test will take t: the figure in most tables, the default for 'paired'.
   * 't' takes t: the default for 'two-arms', where runs are few and z promises too much (at 3 runs per arm 2.29 SD,
   * where the t test needs 3.07).
   */
  readonly approximation?: 'normal' | 't';
};

/**
 * The smallest true difference that a design finds with the wanted power:
 * (quantile at 1 − alpha/2 + quantile at power) · sd / √n, and √2 times that for two arms.
 *
 * When: beside every "no difference found", to say what could have been found.
 * Reference: J. Cohen, "Statistical Power Analysis" (1988), ch. 2; R `power.t.test(n, sd = sd, power = power)`,
 * from which 't' differs by at most 2% from 3 per arm or 5 pairs on.
 * Worked value: sd 0.4, 126 pairs → 0.0998. Fewer than two, or no spread: `undefined`.
 */
export function minimumDetectableEffect(
  sd: number,
  n: number,
  options: PowerOptions = {},
): number | undefined {
  checkSd(sd);
  checkCount(n, 'n');
  if (n < 2 || sd === 0) return undefined;
  return unitEffect(n, options) * sd;
}

/**
 * How many pairs (or runs per arm) a design needs to find a true difference of `effect` with the wanted power: the
 * smallest n whose minimum detectable effect is not above it.
 *
 * When: planning; or beside "too few to tell", to say how many would do.
 * Reference: as above; with 'normal' it is ⌈((z + z) · sd / effect)²⌉, twice that per arm for two arms.
 * Worked value, sd 0.4 paired: 0.10 → 126, 0.15 → 56, 0.20 → 32 with 'normal'; 128, 58, 34 with 't', as R's
 * `power.t.test` says. An effect of 0, or no spread: `undefined`.
 */
export function neededN(sd: number, effect: number, options: PowerOptions = {}): number | undefined {
  checkSd(sd);
  if (!Number.isFinite(effect)) throw new RangeError(`effect must be a finite number, got ${effect}`);
  const wanted = Math.abs(effect) / sd;
  if (!(wanted > 0 && wanted < Infinity)) return undefined;
  // With z the effect shrinks as 1/√n, so n follows at once; t needs a few more.
  let n = Math.max(2, Math.ceil((unitEffect(1, { ...options, approximation: 'normal' }) / wanted) ** 2));
  // Beyond a million t and z ask for the same n.
  while (n < 1e6 && unitEffect(n, options) > wanted * (1 + 1e-12)) n++;
  return Number.isSafeInteger(n) ? n : undefined;
}

/** The detectable effect in units of the standard deviation. */
function unitEffect(n: number, options: PowerOptions): number {
  const { design = 'paired', power = 0.8, alpha = 0.05 } = options;
  checkShare(power, 'power');
  checkShare(alpha, 'alpha');
  const arms = design === 'paired' ? 1 : 2;
  const approximation = options.approximation ?? (design === 'paired' ? 'normal' : 't');
  const quantile =
    approximation === 'normal' ? normalQuantile : (share: number) => studentTQuantile(share, arms * (n - 1));
  return (quantile(1 - alpha / 2) + quantile(power)) * Math.sqrt(arms / n);
}

function checkSd(sd: number): void {
  if (!(sd >= 0 && sd < Infinity)) throw new RangeError(`sd must be 0 or a positive number, got ${sd}`);
}
