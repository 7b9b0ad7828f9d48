/** Texts between tags. Each tag is searched once, because a hostile transcript may leave any number of them open. */

/** The text between the first `open` and the first `close` after it, trimmed. */
export function textBetween(text: string, open: string, close: string): string | undefined {
  const from = text.indexOf(open);
  const to = from < 0 ? -1 : text.indexOf(close, from + open.length);
  return to < 0 ? undefined : text.slice(from + open.length, to).trim();
}

type Tagged = { readonly name: string; readonly inside: string };

/** `<name>…</name>`, one after another, without nested ones. Without `names`, of any name. */
export function* taggedTexts(text: string, names?: ReadonlySet<string>): Generator<Tagged> {
  const lastEnds = new Map([...text.matchAll(/<\/(\w+)>/g)].map(({ 1: name = '', index }) => [name, index]));
  let from = 0;
  for (const { 0: open, 1: name = '', index } of text.matchAll(/<(\w+)>/g)) {
    const start = index + open.length;
    if (index < from || (lastEnds.get(name) ?? -1) < start || names?.has(name) === false) continue;
    const end = text.indexOf(`</${name}>`, start);
    yield { name, inside: text.slice(start, end).trim() };
    from = end;
  }
}

/** Without `<name>…</name>`, each up to its end tag or the end of the text. */
export function withoutTagged(text: string, name: string): string {
  const parts: string[] = [];
  for (let from = 0; ; ) {
    const open = text.indexOf(`<${name}>`, from);
    if (open < 0) return parts.join('') + text.slice(from);
    parts.push(text.slice(from, open));
    const close = text.indexOf(`</${name}>`, open);
    if (close < 0) return parts.join('');
    from = close + name.length + 3;
  }
}
