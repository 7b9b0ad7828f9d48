/** A path or a name as a next step shows it: a line that is copied into a shell must mean the same there. */
export function shellWord(word: string): string {
  return /^[\w./:@%+=,~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
