import { oneWord } from './one-word.ts';
import { remember } from './remember.ts';

/**
 * One spelling for labels that differ only in Unicode form, case, punctuation, hyphens, spacing, number or British and
 * American English. Symbols stay, and so do the punctuation marks that name things (`#`, `%`, `&`, `*`, `@`): C, C#
 * and C++ are three languages. Without letters, digits or symbols a label is its own spelling.
 */
export const normalise: (label: string) => string = remember((label) =>
  spell(label).split(' ').map(oneWord).join(' '),
);

/** Most labels: there is nothing to respell in them. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

export function isPlain(label: string): boolean {
  return PLAIN.test(label);
}

/** The same without a look at the words. */
export function spell(label: string): string {
  if (isPlain(label)) return label.toLowerCase();
  // Through capitals: ß and SS, σ and ς are the same letters.
  const text = label.normalize('NFKC').toUpperCase().toLowerCase();
  const spelling = text
    .replaceAll(MINUS, '-')
    // A hyphen before a number that joins nothing is its sign.
    .replace(/(?<![\p{L}\p{M}\p{N}\p{Pd}])-(?=\p{N})/gu, MINUS)
    .replace(/[\p{P}`\s]/gu, (mark) => (NAMING_MARKS.has(mark) ? mark : ' '))
    // `p<q` and `p < q` are the same; a sign stays with its number.
    .replace(/(?:(?!\u2212)[\p{S}#%&*@])+/gu, ' $& ')
    .replace(/ +/g, ' ')
    .trim();
  return spelling === '' ? text.trim() : spelling;
}

const MINUS = '\u2212';
const NAMING_MARKS: ReadonlySet<string> = new Set('#%&*@');
