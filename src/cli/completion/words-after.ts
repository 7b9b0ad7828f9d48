/** Beginning of a command → the words that may follow it. */
export type WordsAfter = ReadonlyMap<
  string,
  readonly { readonly word: string; readonly doc: string; readonly choices: readonly string[] }[]
>;

/** Every option whose values are known: `sessions list --format` → its values. */
export function choicesOf(after: WordsAfter): [string, readonly string[]][] {
  return [...after].flatMap(([start, words]) =>
    words.flatMap(({ word, choices }): [string, readonly string[]][] =>
      choices.length === 0 ? [] : [[`${start} ${word}`, choices]],
    ),
  );
}

/** Our own words hold quotes now and then. */
export function quoted(text: string, quote: "'" | '"' = "'"): string {
  return quote === "'" ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`;
}
