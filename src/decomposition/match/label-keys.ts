import { normaliseUnicode } from '../../normalise-unicode.ts';
import { cached, normalise, spellings, withoutOf } from './normalise.ts';

/**
 * A spelling that resists disguise: without invisible characters and diacritics, and with lookalike letters mapped to
 * Latin ones.
 */
export const canaryKey: (label: string) => string = cached((label) => {
  const seen = normaliseUnicode(label, 'NFKD').replace(/[\p{Default_Ignorable_Code_Point}\p{M}]/gu, '');
  return normalise(
    seen.replace(
      /[\u0131\u0251\u0261\u0370-\u03ff\u0400-\u052f]/g,
      (letter) => LOOKALIKES.get(letter) ?? letter,
    ),
  );
});

/** The keys that recognise a label: as a whole, by a part of it, or by anything that it lists. */
export type LabelKeys = {
  readonly whole: readonly string[];
  readonly parts: readonly string[];
  readonly listed: readonly string[];
};

/** A longer label is a sentence, and the text between its commas is not a name. */
const MOST_WORDS_IN_PARTS = 14;

/**
 * The spellings that recognise expected concepts and canaries alike. They ignore marks, leading filler words and an
 * added acronym, reorder names with `of`, join all letters, and map lookalike letters to Latin ones. Parts are the text
 * before and inside brackets, or on both sides of a comma, dash or slash. A list of three guesses has no parts, because
 * it would be right if any one were. List items only reveal canaries.
 */
export const labelKeys: (label: string) => LabelKeys = cached((label) => {
  const plain = withoutWrapping(label).replace(MARKS, ' ');
  const whole = [...new Set([...wholeKeys(label), ...wholeKeys(plain)])];
  const keysOf = (names: readonly string[]) => {
    const keys = names.filter((name) => name !== plain && isNamed(name)).flatMap(wholeKeys);
    return [...new Set(keys)].filter((key) => !whole.includes(key));
  };
  const pieces = plain.split(SEPARATORS);
  return { whole, parts: keysOf(partsOf(plain)), listed: pieces.length < 2 ? NONE : keysOf(pieces) };
});

const NONE: readonly string[] = [];

const SEPARATORS = /[()[\]{},:;|/]|\s\p{Pd}+\s|\p{Pd}{2,}|[\u2013\u2014]/u;

function isNamed(name: string): boolean {
  return /[\p{L}\p{N}]/u.test(name);
}

function partsOf(plain: string): readonly string[] {
  if (plain.split(/\s+/).length > MOST_WORDS_IN_PARTS) return NONE;
  const bracketed = Array.from(
    plain.matchAll(/\(([^()]*)\)|\[([^[\]]*)\]/g),
    (found) => found[1] ?? found[2] ?? '',
  );
  const outside = bracketed.length === 0 ? plain : plain.replace(/\([^()]*\)|\[[^[\]]*\]/g, ' ');
  const isList = (name: string) => name.split(SEPARATORS).filter(isNamed).length > 1;
  const parts =
    bracketed.length === 0
      ? plain.split(SEPARATORS).filter(isNamed)
      : [outside, ...(bracketed.length === 1 ? bracketed.filter((name) => !isList(name)) : [])];
  return parts.length > 2 || parts.some((part) => DENIAL.test(part)) ? NONE : parts;
}

/** `tides (not so)` does not name tides. */
const DENIAL =
  /^\s*(?:the )?(?:absence|absent|denied|false|lack|lacking|never|no|non|none|not|opposite|untrue|without|wrong)\b/i;

function wholeKeys(label: string): string[] {
  const spelt = [...spellings(label), ...turned(label), canaryKey(label), ...turned(canaryKey(label))];
  const keys = spelt
    .flatMap((key) => [key, withoutLead(key)])
    .flatMap((key) => [key, ...withoutAcronym(key)]);
  return [...new Set([...keys, ...keys.map(joined)])];
}

function turned(label: string): string[] {
  const one = withoutOf(label);
  return one === undefined ? [] : [one];
}

/** Quotation marks, code marks and trade marks wrap a name but are not part of it. */
const MARKS = /["'\u2018-\u201f\u00ab\u00bb`\u2122\u00ae\u00a9]/g;

/** Removes emphasis, a hash tag, or angle brackets around the whole label. */
function withoutWrapping(label: string): string {
  const text = label.trim();
  const isWrap = (at: number) => '*_#<>~'.includes(text[at] ?? ' ');
  let from = 0;
  while (isWrap(from)) from += 1;
  if (from === 0) return label;
  let to = text.length;
  while (to > from && isWrap(to - 1) && text[to - 1] !== '#') to -= 1;
  return text.slice(from, to).trim();
}

const LEAD = /^(?:(?:the|a|an|this|that|these|those|so|called|such|some|any) )+/;

function withoutLead(key: string): string {
  return key.replace(LEAD, '');
}

/** `X XYZ` and `XYZ X`, where the letters are the initials of the other words. */
function withoutAcronym(key: string): string[] {
  const words = key.split(' ');
  const initials = (some: readonly string[]) => some.map((word) => word.slice(0, 1)).join('');
  const [first = '', last = ''] = [words[0], words.at(-1)];
  return [
    ...(words.length > 2 && initials(words.slice(0, -1)) === last ? [words.slice(0, -1).join(' ')] : []),
    ...(words.length > 2 && initials(words.slice(1)) === first ? [words.slice(1).join(' ')] : []),
  ];
}

/** The key of a name with its words joined. Short names are excluded, because spaces may distinguish them. */
function joined(key: string): string {
  const letters = key.replaceAll(' ', '');
  return letters.length >= 8 ? `joined ${letters}` : key;
}

/** Latin letters, and the Cyrillic and Greek letters that most fonts draw alike (Unicode confusables). */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  `
  a:аαɑ b:ь c:сϲ d:ԁ e:е g:ԍɡ h:һ i:іιı j:јϳ k:кκ m:м n:пη o:оοσ p:рρ q:ԛ r:г s:ѕ t:тτ u:υ v:ѵν w:ԝω x:хχ y:уγ
  A:АΑ B:ВΒ C:СϹ E:ЕΕ H:НΗ I:ІΙ J:ЈͿ K:КΚ M:МΜ N:Ν O:ОΟ P:РΡ S:Ѕ T:ТΤ X:ХΧ Y:УΥҮ Z:Ζ`
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string])
    .flatMap(([latin, alike]) => [...alike].map((letter) => [letter, latin] as const)),
);
