/**
 * A bounded sketch of a request's words, to notice that a person asks the same again without keeping what they asked:
 * the smallest hashes of its distinct words. Up to `SIZE` words the comparison is exact, above that an estimate.
 */
const SIZE = 32;
const MAX_LOOK = 2_000;
/** Fewer distinct words say too little, unless they are the very same ones in the same order (`wordsOf`). */
const FEWEST = 5;
const SAME = 0.85;
/** Said again at once, words may be left out or added, but none replaced: another word is another request. */
const KEPT = 0.95;
const LEFT = 0.6;
/** So many are enough where not one of them differs. */
const FEWEST_EQUAL = 4;

const PLAIN = new Set(
  'the a an and or of to in on at is it this that for with can could would will you i we my our me please do be are as from by if just only really still now want need all'
    .split(' ')
    .map((word) => hashesOf(word)[0] ?? 0),
);

export function sketchOf(text: string): number[] {
  const hashes = hashesOf(text).sort((a, b) => a - b);
  const sketch: number[] = [];
  for (const hash of hashes) {
    if (hash === sketch[sketch.length - 1] || PLAIN.has(hash)) continue;
    sketch.push(hash);
    if (sketch.length === SIZE) break;
  }
  return sketch;
}

/** Fewer words, said again at once, are an answer rather than a request. */
const FEWEST_VERBATIM = 3;
/** About two characters make a word in scripts without spaces. */
const FEWEST_CHARACTERS = 6;
const WITHOUT_SPACES = /[\u2e80-\uffff]/;

/** One hash of all words in their order, whatever their case; 0 when they are too few to tell a request. */
export function wordsOf(text: string): number {
  const hashes = hashesOf(text);
  const fewest = WITHOUT_SPACES.test(text.slice(0, MAX_LOOK)) ? FEWEST_CHARACTERS : FEWEST_VERBATIM;
  if (hashes.length < fewest) return 0;
  return hashes.reduce((all, hash) => Math.imul(all ^ hash, 0x9e3779b1) ^ (all >>> 13), hashes.length) >>> 0;
}

/** One hash per word, whatever its case. Scripts without spaces give one per character. */
function hashesOf(text: string): number[] {
  const hashes: number[] = [];
  const end = Math.min(text.length, MAX_LOOK);
  let hash = 0;
  for (let i = 0; i <= end; i += 1) {
    const code = i < end ? lowered(text.charCodeAt(i)) : 0;
    if (code > 0 && code < 0x2e80) {
      hash = Math.imul((hash === 0 ? 0x2545f491 : hash) ^ code, 0x9e3779b1);
      hash ^= hash >>> 15;
      continue;
    }
    if (hash !== 0) hashes.push(hash >>> 0);
    if (code !== 0) hashes.push(Math.imul(code, 0x9e3779b1) >>> 0);
    hash = 0;
  }
  return hashes;
}

/** Lower-case letter, digit or letter beyond ASCII; 0 for what separates words. */
function lowered(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95) return code;
  if (code >= 0x410 && code <= 0x42f) return code + 32;
  return code > 0xbf && (code < 0x2000 || code > 0x206f) && (code < 0x3000 || code > 0x3004) ? code : 0;
}

/** Whether two sketches are of the same request. */
export function isSameRequest(a: readonly number[], b: readonly number[]): boolean {
  const [fewer, more] = a.length < b.length ? [a.length, b.length] : [b.length, a.length];
  if (fewer < FEWEST || fewer < more * SAME) return false;
  const { both, union } = overlap(a, b);
  return both / union >= SAME;
}

/** The same of two messages with only the agent's answer between them. */
export function isSameRequestAtOnce(a: readonly number[], b: readonly number[]): boolean {
  const [fewer, more] = a.length < b.length ? [a, b] : [b, a];
  const fewest = fewer.length === more.length ? FEWEST_EQUAL : FEWEST;
  if (fewer.length < fewest || more.length === SIZE || fewer.length < more.length * LEFT) return false;
  const known = new Set(more);
  return fewer.filter((word) => known.has(word)).length >= fewer.length * KEPT;
}

function overlap(a: readonly number[], b: readonly number[]): { both: number; union: number } {
  let both = 0;
  let union = 0;
  for (let i = 0, j = 0; (i < a.length || j < b.length) && union < SIZE; union += 1) {
    const left = a[i] ?? Number.POSITIVE_INFINITY;
    const right = b[j] ?? Number.POSITIVE_INFINITY;
    if (left === right) both += 1;
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return { both, union };
}
