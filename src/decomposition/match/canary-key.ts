import { normaliseUnicode } from '../../normalise-unicode.ts';
import { normalise } from './normalise.ts';
import { remember } from './remember.ts';

/**
 * The spelling by which canaries are recognised: stricter than `normalise` against disguise. Characters that nobody
 * sees and marks on letters are dropped, and letters that look like Latin ones are read as those.
 */
export const canaryKey: (label: string) => string = remember((label) => {
  const seen = normaliseUnicode(label, 'NFKD').replace(/[\p{Default_Ignorable_Code_Point}\p{M}]/gu, '');
  return normalise(
    seen.replace(
      /[\u0131\u0251\u0261\u0370-\u03ff\u0400-\u052f]/g,
      (letter) => LOOKALIKES.get(letter) ?? letter,
    ),
  );
});

/**
 * All keys under which a label may hide a canary: as it is, and what stands before, inside or after a bracket, so that
 * neither an article nor an added acronym disguises it.
 */
export const canaryKeys: (label: string) => readonly string[] = remember((label) => {
  const parts = label.split(/[()[\]{}]/).filter((part) => /[\p{L}\p{N}]/u.test(part));
  const outside = label.replace(/\([^()]*\)|\[[^[\]]*\]/g, ' ');
  return [...new Set([label, outside, ...(parts.length > 1 ? parts : [])].map(canaryKey))];
});

/** Latin letters and the Cyrillic and Greek ones that most fonts draw alike (Unicode confusables). */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  (
    [
      ['a', 'аαɑ'],
      ['b', 'ь'],
      ['c', 'сϲ'],
      ['d', 'ԁ'],
      ['e', 'е'],
      ['g', 'ԍɡ'],
      ['h', 'һ'],
      ['i', 'іιı'],
      ['j', 'јϳ'],
      ['k', 'кκ'],
      ['m', 'м'],
      ['n', 'пη'],
      ['o', 'оοσ'],
      ['p', 'рρ'],
      ['q', 'ԛ'],
      ['r', 'г'],
      ['s', 'ѕ'],
      ['t', 'тτ'],
      ['u', 'υ'],
      ['v', 'ѵν'],
      ['w', 'ԝω'],
      ['x', 'хχ'],
      ['y', 'уγ'],
      ['A', 'АΑ'],
      ['B', 'ВΒ'],
      ['C', 'СϹ'],
      ['E', 'ЕΕ'],
      ['H', 'НΗ'],
      ['I', 'ІΙ'],
      ['J', 'ЈͿ'],
      ['K', 'КΚ'],
      ['M', 'МΜ'],
      ['N', 'Ν'],
      ['O', 'ОΟ'],
      ['P', 'РΡ'],
      ['S', 'Ѕ'],
      ['T', 'ТΤ'],
      ['X', 'ХΧ'],
      ['Y', 'УΥҮ'],
      ['Z', 'Ζ'],
    ] as const
  ).flatMap(([latin, alike]) => [...alike].map((letter) => [letter, latin] as const)),
);
