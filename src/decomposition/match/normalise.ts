import { normaliseUnicode } from '../../normalise-unicode.ts';
import { oneWord } from './one-word.ts';
import { remember } from './remember.ts';

/**
 * One spelling for labels that differ only in Unicode form, case, accents, punctuation, spacing, number, a leading
 * article, Greek letters or their names, `&` or `and`, British and American English. Symbols stay, and so do the
 * punctuation marks that name things (`#`, `%`, `*`, `@`): C, C# and C++ are three languages. Without letters, digits or
 * symbols a label is its own spelling.
 */
export const normalise: (label: string) => string = remember((label) =>
  spell(label).split(' ').map(oneWord).join(' '),
);

/**
 * All spellings of a label: a hyphen parts two words or joins them (`on-line` is `on line` and `online`). Two labels are
 * the same when they share one.
 */
export const spellings: (label: string) => readonly string[] = remember((label) => {
  const joined = label.replace(JOINING_HYPHEN, (whole, first: string, second: string) =>
    first.length === 1 && isPluralOnly(second) ? whole : first + second,
  );
  const [apart, together] = [normalise(label), normalise(joined)];
  return apart === together ? [apart] : [apart, together];
});

/** `means` in `k-means` has no singular, and the joined word would get one. */
function isPluralOnly(word: string): boolean {
  return /s$/i.test(word) && oneWord(word.toLowerCase()) === word.toLowerCase();
}

/** Letters on both sides that make a word of at least four: `e-mail`, `wi-fi`, but not the two letters of `M-L`. */
const JOINING_HYPHEN =
  /(?<![\p{L}\p{N}])(\p{L}+)\p{Pd}(\p{L}{3,}|(?<=\p{L}{2}\p{Pd})\p{L}{2,}|(?<=\p{L}{3}\p{Pd})\p{L}+)/gu;

/**
 * `rate of inflation` as `inflation rate`: one name in another order. Without an `of` the order of two nouns means
 * something, as in income tax and tax income.
 */
export function withoutOf(label: string): string | undefined {
  const parts = normalise(label).split(' of ');
  const [thing, owner] = parts;
  if (parts.length !== 2 || thing === undefined || owner === undefined) return undefined;
  return normalise(`${owner.replace(/^(?:the|a|an) /, '')} ${thing}`);
}

/** Most labels: there is nothing to respell in them. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

export function isPlain(label: string): boolean {
  return PLAIN.test(label);
}

/** The same without a look at the words. */
export function spell(label: string): string {
  const named = withoutArticle(label.replace(INITIALISM, (letters) => letters.replaceAll('.', '')));
  const text = isPlain(named) ? lower(named) : lower(latinPlain(named));
  if (isPlain(named)) return text;
  const spelling = text
    .replaceAll(MINUS, '-')
    // A hyphen before a number that joins nothing is its sign.
    .replace(/(?<![\p{L}\p{M}\p{N}\p{Pd}])-(?=\p{N})/gu, MINUS)
    .replace(/[\p{P}`\s]/gu, (mark) => (NAMING_MARKS.has(mark) ? mark : ' '))
    // `p<q` and `p < q` are the same; a sign stays with its number.
    .replace(/(?:(?!\u2212)[\p{S}#%*@])+/gu, ' $& ')
    .replace(/ +/g, ' ')
    .trim();
  return spelling === '' ? text.trim() : spelling;
}

const MINUS = '\u2212';
const NAMING_MARKS: ReadonlySet<string> = new Set('#%*@');

/** `U.S.` is `US`. */
const INITIALISM = /(?<![\p{L}\p{N}])(?:\p{Lu}\.){2,}/gu;

/** `the tide` is the tide; a capital A may be a name (A level). */
function withoutArticle(label: string): string {
  return label.replace(/^\s*(?:[Tt]he|THE|an?|An)\s+(?=[\p{L}\p{N}]{2})/u, '');
}

/** Words that mean something else in capitals: the US is not us, nor IT it. */
const CAPITALS_TELL: ReadonlySet<string> = new Set(
  'AIDS AM AS AT BE DO GO HE IN IS IT ME MY NO ON OR SO TO UP US WE WHO'.split(' '),
);

/** Through capitals: ß and SS, σ and ς are the same letters. */
function lower(text: string): string {
  const whole = normaliseUnicode(text, 'NFKC');
  const small = whole.toUpperCase().toLowerCase();
  // Where everything is written in capitals they tell nothing.
  if (!/\b[A-Z]{2,4}\b/.test(text) || /[A-Z]{5}/.test(text)) return small;
  return small.replace(/\b[a-z]{2,4}\b/g, (word, at: number) => {
    const capitals = word.toUpperCase();
    return CAPITALS_TELL.has(capitals) && whole.slice(at, at + word.length) === capitals ? capitals : word;
  });
}

/** Without the accents of Latin letters; Greek letters that stand alone and `&` in words. */
function latinPlain(label: string): string {
  const plain = normaliseUnicode(label, 'NFD').replace(/(?<=\p{Script=Latin})\p{M}+/gu, '');
  return normaliseUnicode(plain, 'NFKC')
    .replace(/[łŁøØđĐæÆœŒ]/g, (letter) => LETTERS.get(letter) ?? letter)
    .replace(/(?<!\p{Script=Greek})\p{Script=Greek}(?!\p{Script=Greek}|\p{M})/gu, (letter) => {
      const name = GREEK.get(letter.toLowerCase());
      return name === undefined ? letter : ` ${name} `;
    })
    .replaceAll('&', ' and ');
}

/** Latin letters that do not come apart into a letter and a mark. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE' }),
);

const GREEK: ReadonlyMap<string, string> = new Map(
  [...'αβγδεζηθικλμνξοπρστυφχψω'].map((letter, place) => [
    letter,
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega'.split(
      ' ',
    )[place] as string,
  ]),
);
