/** One spelling for labels that differ only in Unicode form, case, punctuation, hyphens or spacing. */
export function normalise(label: string): string {
  return label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, ' ')
    .trim();
}
