/**
 * The Porter stemmer, as keyphrase papers use it to compare phrases: M. F. Porter, "An algorithm for suffix stripping",
 * Program 14 (1980).
 */
const CONSONANT = '(?:[^aeiouy]|(?<=[aeiou]|^)y)';
const VOWEL = '(?:[aeiou]|(?<![aeiou]|^)y)';
const measured = (times: string) => new RegExp(`^${CONSONANT}*(?:${VOWEL}+${CONSONANT}+)${times}${VOWEL}*$`);
const SOME = measured('+');
const ONE = measured('{1}');
const MANY = measured('{2,}');
const HAS_VOWEL = new RegExp(VOWEL);
const DOUBLE = /([^aeiouylsz])\1$/;
const SHORT = new RegExp(`${CONSONANT}${VOWEL}[^aeiouwxy]$`);

const SECOND: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
];
const THIRD: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const FOURTH = [
  'al',
  'ance',
  'ence',
  'er',
  'ic',
  'able',
  'ible',
  'ant',
  'ement',
  'ment',
  'ent',
  'sion',
  'tion',
  'ou',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
];

export function porter(word: string): string {
  if (word.length < 3) return word;
  let stem = plural(word);
  stem = past(stem);
  if (stem.endsWith('y') && HAS_VOWEL.test(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replace(stem, SECOND);
  stem = replace(stem, THIRD);
  stem = fourth(stem);
  return final(stem);
}

function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function past(word: string): string {
  if (word.endsWith('eed')) return SOME.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const ending = ['ed', 'ing'].find(
    (one) => word.endsWith(one) && HAS_VOWEL.test(word.slice(0, -one.length)),
  );
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (DOUBLE.test(stem)) return stem.slice(0, -1);
  return ONE.test(stem) && SHORT.test(stem) ? `${stem}e` : stem;
}

function replace(word: string, rules: readonly (readonly [string, string])[]): string {
  const rule = longest(
    word,
    rules.map(([ending]) => ending),
  );
  if (rule === undefined) return word;
  const stem = word.slice(0, -rule.length);
  return SOME.test(stem) ? stem + (rules.find(([ending]) => ending === rule)?.[1] ?? '') : word;
}

function fourth(word: string): string {
  const ending = longest(word, FOURTH);
  if (ending === undefined) return word;
  // "ion" goes, the s or t before it stays.
  const stem = word.slice(0, -(ending === 'sion' || ending === 'tion' ? 3 : ending.length));
  return MANY.test(stem) ? stem : word;
}

function final(word: string): string {
  let stem = word;
  if (stem.endsWith('e')) {
    const rest = stem.slice(0, -1);
    if (MANY.test(rest) || (ONE.test(rest) && !SHORT.test(rest))) stem = rest;
  }
  return stem.endsWith('ll') && MANY.test(stem.slice(0, -1)) ? stem.slice(0, -1) : stem;
}

function longest(word: string, endings: readonly string[]): string | undefined {
  return endings.filter((one) => word.endsWith(one)).sort((a, b) => b.length - a.length)[0];
}
