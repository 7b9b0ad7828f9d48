/** A text as prose: `readable` has the same length, with everything that is no prose blanked. */
export type Prose = { readonly readable: string; readonly blocks: readonly TextBlock[] };
/** A paragraph, a heading or an item of a list: no sentence goes over its end. */
export type TextBlock = { readonly from: number; readonly to: number };

/** No word is longer than this; the tagger takes minutes over one of ten thousand letters. */
const LONGEST_WORD = 100;
const blank = (run: string): string => ' '.repeat(run.length);

/** Blanks control characters and the marks of Markdown. The length stays: every place holds in the text as given. */
export function proseOf(text: string): Prose {
  const plain = text.replace(/[\p{Cc}\p{Co}\p{Cs}]/gu, (mark) => (mark === '\n' ? mark : blank(mark)));
  const { lines, starts } = readLines(plain.split('\n'));
  const readable = lines
    .join('\n')
    .replace(/!?\[([^[\]\n]{1,300})\]\([^()\s]{0,500}\)/g, unlink)
    .replace(/<\/?[a-z][^<>\n]{0,200}>|<!--[^<>\n]{0,500}-->|https?:\/\/[^\s<>()]{1,500}/gi, blank)
    .replace(/`+|\*{2,3}|\*(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.,])\*/gu, blank)
    .replace(/(?<![\p{L}\p{N}_])_{1,3}(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.,])_{1,3}(?![\p{L}\p{N}_])/gu, blank)
    .replace(new RegExp(`\\S{${LONGEST_WORD + 1},}`, 'g'), blank);
  const blocks = starts.map((from, i) => ({ from, to: starts[i + 1] ?? readable.length }));
  return { readable, blocks };
}

/** `[text](address)` keeps its text in its place. */
function unlink(whole: string, inner: string): string {
  const before = whole.indexOf('[') + 1;
  return blank(whole.slice(0, before)) + inner + blank(whole.slice(before + inner.length));
}

/** A word for the language may follow; a title may not. */
const OPENING_FENCE = /^ {0,3}(?:```|~~~)(?:\S*$|\S+[ \t].*[={])/;
const CLOSING_FENCE = /^ {0,3}(?:```|~~~)\s*$/;
/** What opens a heading, an item of a list or a task. */
const MARK = /^[ \t]*(?:#{1,6}[ \t]+|(?:[-+*•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)/;
const QUOTATION = /^[ \t]*(?:>[ \t]?){1,9}/;
const RULE = /^[ \t]*[-=_*|:+][-=_*|:+ \t]{2,400}$/;
const ROW = /^[ \t]*\|/;

type Lines = { readonly lines: readonly string[]; readonly starts: readonly number[] };

/** Each line without its marks, and where blocks begin. Code is no prose. */
function readLines(given: readonly string[]): Lines {
  const lines: string[] = [];
  const starts = [0];
  // A fence that nothing closes fences nothing.
  const lastFence = given.findLastIndex((line) => CLOSING_FENCE.test(line));
  let at = 0;
  let fenced = false;
  let ended = false;
  for (const [i, whole] of given.entries()) {
    const quotation = QUOTATION.exec(whole)?.[0] ?? '';
    const line = blank(quotation) + whole.slice(quotation.length);
    const fence = fenced ? CLOSING_FENCE.test(line) : i < lastFence && OPENING_FENCE.test(line);
    const none = fenced || fence || RULE.test(line) || line.trim() === '';
    const mark = none ? '' : (MARK.exec(line)?.[0] ?? '');
    const row = !none && ROW.test(line);
    if (fence) fenced = !fenced;
    if (none || ended || row || mark !== '') starts.push(at);
    if (row) for (const cell of line.matchAll(/\|/g)) starts.push(at + cell.index);
    ended = none || row || mark.includes('#');
    const rest = line.slice(mark.length);
    lines.push(none ? blank(line) : blank(mark) + (row ? rest.replaceAll('|', ' ') : rest));
    at += line.length + 1;
  }
  return { lines, starts };
}
