/** Options are written with two dashes; a lone dash is standard input, and a number may be negative. */
export function shortWords(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end))
    .filter((word) => /^-[a-z]{2}/i.test(word))
    .map((word) => word.slice(1).split('=', 1)[0] ?? '');
}

/** Names of the long options among the words, up to `--`. */
export function optionWords(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end))
    .filter((word) => /^--./.test(word))
    .map((word) => word.slice(2).split('=', 1)[0] ?? '');
}
