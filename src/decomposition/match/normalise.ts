/**
 * One spelling for labels that differ only in Unicode form, case, punctuation, hyphens or spacing. Symbols stay, and so
 * do the punctuation marks that name things (`#`, `%`, `&`, `*`, `@`): C, C# and C++ are three languages. Without
 * letters, digits or symbols a label is its own spelling.
 */
export function normalise(label: string): string {
  const text = label.normalize('NFKC').toLowerCase();
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
