/** A stream of pseudo-random numbers. The same seed gives the same stream on every machine. */
export type Random = {
  /** The next 32 bits, 0 to 4,294,967,295. */
  readonly bits: () => number;
  /** A whole number from 0 up to but without `limit`. */
  readonly below: (limit: number) => number;
};

const TWO_TO_32 = 4294967296;

/**
 * Seeded random numbers, so that a bootstrap printed today can be printed again tomorrow.
 *
 * When: every resampling in this folder. Not for secrets.
 * Reference: xoshiro128** 1.1, D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators",
 * ACM TOMS 47 (2021). Its four words of state are filled by splitmix32 (a 32-bit Weyl sequence through the
 * MurmurHash3 finaliser), because nearby seeds must not give nearby streams.
 * Cost: about 6 ns a number; period 2^128 − 1.
 * Worked value: `random(1).bits()` is 2442144158.
 */
export function random(seed: number): Random {
  if (!Number.isInteger(seed) || seed < 0 || seed >= TWO_TO_32) {
    throw new RangeError(`a seed must be a whole number from 0 to 4294967295, got ${seed}`);
  }
  const next = splitmix32(seed);
  return xoshiro128(next(), next(), next(), next());
}

/** The generator itself, from its four words of state (not all zero). */
export function xoshiro128(a: number, b: number, c: number, d: number): Random {
  let s0 = a | 0;
  let s1 = b | 0;
  let s2 = c | 0;
  let s3 = d | 0;

  function bits(): number {
    const scrambled = Math.imul(s1, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9);
    const shifted = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= shifted;
    s3 = (s3 << 11) | (s3 >>> 21);
    return result >>> 0;
  }

  // Multiply and cut: some outcomes are likelier than others by at most limit / 2^32, far below what any
  // resampling could show, and there is no loop whose length depends on the draw.
  const below = (limit: number): number => Math.floor((bits() / TWO_TO_32) * limit);
  return { bits, below };
}

function splitmix32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return z ^ (z >>> 16);
  };
}
