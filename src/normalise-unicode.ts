/** A letter with more marks than any language writes; two of them become marks only when they are normalised. */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{31,}/gu;
const THIRTY = /[\p{M}\uff9e\uff9f]{30}/gu;
/** Combining grapheme joiner: invisible, and marks are not sorted across it. */
const JOINER = '\u034f';

/**
 * `String.normalize` in time that grows with the text. Sorting the marks of one letter takes the square of their
 * number, so that a few hundred thousand of them would keep us for hours; as Unicode says for streams (UAX 15, D4),
 * none sorts more than thirty.
 */
export function normaliseUnicode(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(LONG_RUN, (run) => run.replace(THIRTY, `$&${JOINER}`)).normalize(form);
}
