/** How similar two labels are by their words: a rough hint at a near miss, never credit. */
import { normalise } from '../match/normalise.ts';

const SMALL_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been between but by can for from has have in into is it its of on or per than that the their ' +
    'these this to under up via was were when which while will with within without'
  ).split(' '),
);

export function isSmallWord(word: string): boolean {
  return SMALL_WORDS.has(word);
}

/** `forecast` and `forecasting`, `urban` and `urbanization` share one; it need not be a word. */
export function stemOf(word: string): string {
  return word.replace(
    /(?<=.{4})(?:ization|ational|ation|ional|ition|ing|ion|ment|ity|ive|ed|er|or|al|e|y)$/u,
    '',
  );
}

const MOST_WORDS = 12;

export type LabelWords = {
  readonly stems: ReadonlySet<string>;
  /** What the label names a kind of: `cost` of capital, carbon `tax`. */
  readonly head: string | undefined;
};

export function labelWords(label: string): LabelWords {
  const all = normalise(label).split(' ').slice(0, MOST_WORDS);
  const content = (words: readonly string[]) => words.filter((word) => !isSmallWord(word)).map(stemOf);
  const end = all.findIndex((word, i) => i > 0 && HEAD_ENDS.has(word));
  return { stems: new Set(content(all)), head: content(end === -1 ? all : all.slice(0, end)).at(-1) };
}

/** Words after these describe the head. */
const HEAD_ENDS: ReadonlySet<string> = new Set('of for in from by on to with'.split(' '));

type Likeness = {
  /** 2 × shared words / words of both. */
  readonly share: number;
  readonly why: string;
};

const MOST_WORDS_SHARED = 0.6;
const SAME_HEAD_SHARED = 0.5;

export function likenessOf(one: LabelWords, other: LabelWords): Likeness | undefined {
  const size = one.stems.size + other.stems.size;
  if (size === 0) return undefined;
  let shared = 0;
  for (const stem of one.stems) if (other.stems.has(stem)) shared++;
  const share = (2 * shared) / size;
  const sameHead = one.head !== undefined && one.head === other.head;
  if (share < (sameHead ? SAME_HEAD_SHARED : MOST_WORDS_SHARED)) return undefined;
  const most = Math.max(one.stems.size, other.stems.size);
  return { share, why: `shares ${shared} of ${most} words${sameHead ? ' and the head' : ''}` };
}

const MOST_NAMED = 5;
const LONGEST_NAME = 80;

/** `a, b, c, d, e and 3 more`. */
export function nameSome(names: readonly string[], most: number = MOST_NAMED): string {
  const short = (name: string) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);
  const shown = names.slice(0, most).map(short);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

export function amount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

export function tally(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([kind, count]) => `${kind} ${count.toLocaleString('en-US')}`)
    .join(', ');
}

/** Words a suggestion as a suggestion: evidence cannot prove it. */
export function suggestion(text: string): string {
  return `Suggestion: ${text}`;
}
