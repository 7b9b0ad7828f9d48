/**
 * The few distribution functions that the tests and intervals of this folder need, on top of Cephes (S. Moshier,
 * "Methods and Programs for Mathematical Functions", 1989; scipy.special descends from the same code). This is the
 * only file that knows which library computes them.
 *
 * Student's t goes through the incomplete beta function and not through `stdtr`, because `stdtr` takes whole
 * degrees of freedom and silently cuts 4.7 down to 4; Welch's test needs fractions.
 *
 * Checked against scipy 1.17.1: the normal agrees to 14 digits; Student's t to a relative error of about 1e-11 up to
 * 10,000 degrees of freedom, 1e-9 at a million and for quantiles right next to the middle.
 */
import { createRequire } from 'node:module';

// The module for `import` carries a Buffer of its own for browsers and decodes with that, ten times as long.
const { bdtr, compiled, igamc, incbet, incbi, lgam, ndtr, ndtri } = createRequire(import.meta.url)(
  'cephes',
) as typeof import('cephes');

// The library is WebAssembly and compiles itself on load; nothing may be called before it has.
await compiled;

/** P(Z ≤ z) of the standard normal. Underflows to 0 below z = −27. `normalCdf(1.959964)` is 0.975. */
export function normalCdf(z: number): number {
  return ndtr(z);
}

/** The z with P(Z ≤ z) = probability, for 0 < probability < 1. `normalQuantile(0.975)` is 1.959964. */
export function normalQuantile(probability: number): number {
  checkInside(probability);
  return ndtri(probability);
}

/** P(|T| ≥ |t|): the two-sided p of a t statistic. `studentTTwoSidedP(2.5, 4)` is 0.0668. */
export function studentTTwoSidedP(t: number, degreesOfFreedom: number): number {
  checkDegreesOfFreedom(degreesOfFreedom);
  const square = t * t;
  const tails = incbet(degreesOfFreedom / 2, 0.5, degreesOfFreedom / (degreesOfFreedom + square));
  // For a large p the middle is the more exact of the two: there df/(df + t²) is close to 1 and has lost digits.
  if (tails < 0.01) return tails;
  return 1 - incbet(0.5, degreesOfFreedom / 2, square / (degreesOfFreedom + square));
}

/** The t with P(T ≤ t) = probability. `studentTQuantile(0.975, 4)` is 2.776. */
export function studentTQuantile(probability: number, degreesOfFreedom: number): number {
  checkInside(probability);
  checkDegreesOfFreedom(degreesOfFreedom);
  if (probability === 0.5) return 0;
  const tail = Math.min(probability, 1 - probability);
  const size =
    tail < 0.005 ? fromTails(2 * tail, degreesOfFreedom) : fromMiddle(1 - 2 * tail, degreesOfFreedom);
  return probability < 0.5 ? -size : size;
}

/** P(X ≤ k) of the binomial with n trials. `binomialCdf(3, 10, 0.5)` is 0.171875. */
export function binomialCdf(k: number, n: number, probability: number): number {
  return k >= n ? 1 : bdtr(k, n, probability);
}

/** The x with P(X ≤ x) = probability of the beta distribution. `betaQuantile(0.975, 11, 90)` is 0.1762. */
export function betaQuantile(probability: number, a: number, b: number): number {
  checkInside(probability);
  return incbi(a, b, probability);
}

/** P(X ≥ x) of chi-square. `chiSquareUpperP(3.841459, 1)` is 0.05. What is below the smallest number is 0. */
export function chiSquareUpperP(x: number, degreesOfFreedom: number): number {
  checkDegreesOfFreedom(degreesOfFreedom);
  if (x <= 0) return 1;
  const [shape, half] = [degreesOfFreedom / 2, x / 2];
  const exponent = shape * Math.log(half) - half - lgam(shape);
  return half > shape && exponent < LEAST_EXPONENT ? 0 : igamc(shape, half);
}

/** Cephes refuses to take the exponential of less. */
const LEAST_EXPONENT = -700;

function fromTails(tails: number, degreesOfFreedom: number): number {
  const x = incbi(degreesOfFreedom / 2, 0.5, tails);
  return Math.sqrt((degreesOfFreedom * (1 - x)) / x);
}

function fromMiddle(middle: number, degreesOfFreedom: number): number {
  const x = incbi(0.5, degreesOfFreedom / 2, middle);
  return Math.sqrt((degreesOfFreedom * x) / (1 - x));
}

function checkInside(probability: number): void {
  if (!(probability > 0 && probability < 1)) {
    throw new RangeError(`a quantile needs a probability between 0 and 1, got ${probability}`);
  }
}

function checkDegreesOfFreedom(degreesOfFreedom: number): void {
  if (!(degreesOfFreedom > 0 && degreesOfFreedom < Infinity)) {
    throw new RangeError(`degrees of freedom must be positive and finite, got ${degreesOfFreedom}`);
  }
}
