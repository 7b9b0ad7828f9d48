/** A letter with more marks than any language writes; two of them become marks only when they are normalised. */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{31,}/gu;
const THIRTY = /[\p{M}\uff9e\uff9f]{30}/gu;
/** Combining grapheme joiner: invisible, and marks are not sorted across it. */
const JOINER = '\u034f';

/**
 * `String.normalize` in linear time. Sorting the marks of one letter is quadratic in their number, so a few hundred
 * thousand of them would take hours; following the stream-safe format of Unicode (UAX 15, D4), at most thirty are
 * sorted.
 */
export function normaliseUnicode(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(LONG_RUN, (run) => run.replace(THIRTY, `$&${JOINER}`)).normalize(form);
}
