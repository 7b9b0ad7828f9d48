/**
 * JSON as few bytes, for facts of sessions: usual objects and words by their number (packed-words.ts), small numbers in
 * one byte, times as the distance from the one before, hashes as bytes, and names that the row has anyway by their place
 * in `context`. What is not usual costs more room and is kept all the same. Several times faster than compressing text,
 * and smaller, because hashes do not compress. The first byte of a value says what it is.
 */

/** Whole numbers below take one byte, and those of the next eight blocks of 256 two. */
export const SMALL = 0x80;
/** The first words of `KNOWN` from here on. */
export const [WORD, WORDS] = [0x80, 64];
/** Templates from here on. */
export const TEMPLATE = 0xc0;
const TAGS = [
  'null',
  'true',
  'false',
  'whole',
  'negative',
  'double',
  'decimal',
  'moment',
  'hash',
  'text',
  'word',
  'context',
  'parts',
  'base64',
  'uuid',
  'hex',
  'array',
  'rising',
  'hashes',
  'object',
  'again',
] as const;
export const TAG = Object.fromEntries(TAGS.map((name, i) => [name, 0xe0 + i])) as Record<
  (typeof TAGS)[number],
  number
>;
export const MEDIUM = 0xf8;
export const MEDIUM_END = SMALL + 8 * 256;

/** Fractions of six places are kept as whole numbers. */
export const DECIMAL_PARTS = 10 ** 6;

/** What the row has beside what is packed; the same is given to unpack it. */
export type PackingContext = {
  /** Each may be part of other texts. */
  readonly names: readonly (string | undefined)[];
  /** Milliseconds since 1970 that moments are likely to be near. */
  readonly moment?: number | undefined;
};
