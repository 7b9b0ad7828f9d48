/** Where the names of concepts stand in a text; the longest name counts, and a plural is the same name. */
export type TextPiece = { readonly from: number; readonly text: string; readonly label?: string };

export function namedText(
  text: string,
  concepts: readonly { readonly label: string; readonly aliases: readonly string[] }[],
): readonly TextPiece[] {
  const lower = text.toLowerCase();
  const names = concepts
    .flatMap(({ label, aliases }) => [label, ...aliases].map((name) => ({ label, name: name.toLowerCase() })))
    .filter(({ name }) => name !== '')
    .toSorted((a, b) => b.name.length - a.name.length);
  const places: { readonly from: number; readonly to: number; readonly label: string }[] = [];
  for (const { label, name } of names) {
    for (let at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, at + 1)) {
      const to = at + name.length + (lower.charAt(at + name.length) === 's' ? 1 : 0);
      const isWord = !isLetter(lower.charAt(at - 1)) && !isLetter(lower.charAt(to));
      if (isWord && !places.some((one) => one.from < to && at < one.to)) places.push({ from: at, to, label });
    }
  }
  const pieces: TextPiece[] = [];
  let done = 0;
  for (const { from, to, label } of places.toSorted((a, b) => a.from - b.from)) {
    if (from > done) pieces.push({ from: done, text: text.slice(done, from) });
    pieces.push({ from, text: text.slice(from, to), label });
    done = to;
  }
  return done < text.length ? [...pieces, { from: done, text: text.slice(done) }] : pieces;
}

function isLetter(letter: string): boolean {
  return /[\p{L}\p{N}]/u.test(letter);
}
