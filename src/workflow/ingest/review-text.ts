/**
 * Extracts findings from a review in Markdown. Only headings, list items and paragraphs that name a place are findings; the
 * rest is prose.
 */

export type TextFinding = PlaceInText & {
  readonly text: string;
  /** Words in brackets or bold before the text; each may be a severity or a category. */
  readonly marks: readonly Mark[];
  readonly quote?: string;
  /** Line number in the text, from 1. */
  readonly line: number;
};

/** A `bracketed` word may be a category. A bold word is a severity or part of the text. */
export type Mark = { readonly word: string; readonly bracketed: boolean };

export type ReviewText = {
  readonly findings: readonly TextFinding[];
  /** List items without a place. */
  readonly placeless: number;
};

type Open = {
  readonly place: PlaceInText;
  readonly marks: readonly Mark[];
  readonly line: number;
  readonly text: string[];
  readonly quote: string[];
  /** Determines the end: the next heading, an item at the same or a higher level, or an empty line. */
  readonly kind: 'heading' | 'item' | 'paragraph';
  readonly indent: number;
};

type Context = { readonly level: number; readonly file?: string; readonly marks: readonly Mark[] };

export function readReviewText(text: string): ReviewText {
  const reader = new Reader();
  for (const [index, line] of text.split(/\r?\n/).entries()) reader.take(line, index + 1);
  reader.close();
  return { findings: reader.findings, placeless: reader.placeless };
}

class Reader {
  readonly findings: TextFinding[] = [];
  placeless = 0;
  private open: Open | undefined;
  /** Parent headings, which may name the file or the severity of the text below. */
  private headings: Context[] = [];
  /** Parent items that contain only a file name. */
  private items: { readonly indent: number; readonly file: string }[] = [];
  private fence: string | undefined;
  private afterGap = false;

  take(line: string, number: number): void {
    const mark = /^\s{0,12}(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined)
      this.fence = this.fence === undefined ? mark : this.fence === mark ? undefined : this.fence;
    if (mark !== undefined || this.fence !== undefined) return void this.open?.text.push(line);
    const heading = /^ {0,3}(#{1,6})\s+(.*)$/.exec(line);
    const item = /^(\s{0,40})(?:[-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line);
    if (heading !== null) this.takeHeading(heading[1]?.length ?? 1, heading[2] ?? '', number);
    else if (item !== null) this.takeItem(item[1]?.length ?? 0, item[2] ?? '', number);
    else this.takeText(line, number);
    this.afterGap = line.trim() === '';
  }

  close(): void {
    const { open } = this;
    this.open = undefined;
    if (open === undefined) return;
    const text = open.text.join('\n').trim();
    const quote = open.quote.join('\n').trim();
    const above = this.headings.flatMap(({ marks }) => marks);
    this.findings.push({
      ...open.place,
      text: text || open.place.file,
      marks: [...open.marks, ...above.toReversed()],
      ...(quote !== '' && { quote }),
      line: open.line,
    });
  }

  private takeHeading(level: number, text: string, line: number): void {
    this.close();
    this.items = [];
    this.headings = this.headings.filter((one) => one.level < level);
    const { marks, rest } = marksOf(text);
    const place = placeIn(rest);
    if (place !== undefined) this.begin('heading', place, marks, text, line, 0);
    else {
      const named = fileAtStart(rest);
      // A heading may be a single word: `## Critical`.
      const word = /^[\p{L}]{3,20}(?:\s(?:issues?|findings?|problems?))?$/u.test(rest.trim());
      this.headings.push({
        level,
        ...(named !== undefined && named.rest === '' && { file: named.file }),
        marks: [...marks, ...(word ? [{ word: rest.trim().split(/\s/)[0] ?? '', bracketed: false }] : [])],
      });
    }
  }

  private takeItem(indent: number, text: string, line: number): void {
    const { open } = this;
    if (open?.kind === 'heading' || (open?.kind === 'item' && indent > open.indent)) {
      open.text.push(text);
      return;
    }
    this.close();
    this.items = this.items.filter((one) => one.indent < indent);
    const { marks, rest } = marksOf(text);
    const place = placeIn(rest) ?? this.placeByContext(rest);
    if (place !== undefined) {
      this.begin('item', place, marks, text, line, indent);
      return;
    }
    const named = fileAtStart(rest);
    if (named === undefined) this.placeless += 1;
    else if (named.rest === '') this.items.push({ indent, file: named.file });
    else this.begin('item', { file: named.file }, marks, text, line, indent);
  }

  private takeText(line: string, number: number): void {
    const { open } = this;
    const flush = line.trim() !== '' && !/^\s/.test(line);
    if (open !== undefined && open.kind !== 'heading' && this.afterGap && flush) this.close();
    if (this.open === undefined && flush) {
      const { marks, rest } = marksOf(line);
      const place = placeIn(rest);
      // Running prose may mention a place in passing, so only a place at the start of a paragraph is a finding.
      if (place !== undefined && rest.search(/[\w@]/) === rest.indexOf(place.file)) {
        this.begin('paragraph', place, marks, line, number, 0);
        return;
      }
    }
    const quoted = /^\s{0,40}>\s?(.*)$/.exec(line)?.[1];
    if (quoted === undefined) this.open?.text.push(line.trim());
    else this.open?.quote.push(quoted);
  }

  private placeByContext(text: string): PlaceInText | undefined {
    const lines = linesAtStart(text);
    const file = this.items.at(-1)?.file ?? this.headings.findLast((one) => one.file !== undefined)?.file;
    return lines === undefined || file === undefined ? undefined : { file, lines };
  }

  private begin(
    kind: Open['kind'],
    place: PlaceInText,
    marks: readonly Mark[],
    text: string,
    line: number,
    indent: number,
  ): void {
    this.close();
    this.open = { kind, place, marks, line, text: [plain(text)], quote: [], indent };
  }
}

/** `[CRITICAL] [SECURE] text`, `**Critical:** text`, `Critical: text`: the marks before the text, and the text. */
export function marksOf(text: string): { readonly marks: readonly Mark[]; readonly rest: string } {
  const marks: Mark[] = [];
  let rest = text.trim().replace(/^[^\p{L}\p{N}[(`*_"'@.]+/u, '');
  for (let i = 0; i < 4; i++) {
    const bracketed = /^\*{0,2}\[([\p{L}][\p{L}\p{N}_-]{1,60})\](?!\()\*{0,2}[\s:–—-]*/u.exec(rest);
    const bold = /^\*\*([\p{L}]{3,20})(?::\*\*|\*\*:?)(?:\s*[–—-])?\s+/u.exec(rest);
    const spelt = /^([\p{L}]{3,20}):\s+/u.exec(rest);
    const found = bracketed ?? bold ?? spelt;
    if (found === null) break;
    marks.push({ word: found[1] ?? '', bracketed: bracketed !== null });
    rest = rest.slice(found[0].length);
  }
  return { marks, rest };
}

/** Removes bold marks and links. */
function plain(text: string): string {
  return text
    .replaceAll(/\*\*([^*]{1,500})\*\*/g, '$1')
    .replaceAll(/\[([^\]]{1,300})\]\([^)\s]{1,1000}\)/g, '$1')
    .trim();
}

/** References to a place in a file, as people and models write them in prose. */

type PlaceInText = { readonly file: string; readonly lines?: [number, number] };

/** Every part is bounded, so that matching stays cheap on hostile lines. */
const MAX_LINE = 2000;

/** A file name whose extension begins with a letter, with or without folders; never the end of a URL. */
const FOLDER = String.raw`(?:\[[\w.-]{1,60}\]|\([\w.-]{1,60}\)|[\w@.+~-]{1,100})[/\\]`;
const NAME = String.raw`(?:\[[\w.-]{1,60}\]|[\w@+~-][\w@.+~-]{0,100})\.[A-Za-z]\w{0,9}`;
const FILE = String.raw`(?<![\w/.\\@+~-])((?:${FOLDER}){0,30}${NAME})`;
const RANGE = String.raw`L?(\d{1,9})(?::\d{1,9})?(?:\s?(?:-|–|to)\s?L?(\d{1,9})(?::\d{1,9})?)?`;
/** Characters allowed between the file and its lines: the end of a code span, of bold text or of quotes. */
const CLOSING = '[`*_"\']{0,3}';

const ATTACHED = new RegExp(`${FILE}${CLOSING}[:#]${RANGE}`);
const SPELT = new RegExp(
  `${FILE}${CLOSING},?\\s{0,2}\\(?(?:(?:at|on)\\s)?(?:lines?\\s?|(?=L\\d))${RANGE}`,
  'i',
);
const LINKED = new RegExp(`/blob/[\\w.-]{1,100}/([^\\s)#]{1,300})#${RANGE}`);
const ALONE = new RegExp(`^[\`*_(]{0,3}(?:lines?\\s|(?=L\\d))${RANGE}(?!\\w)`, 'i');
const ONLY_FILE = new RegExp(`^[\`*_"'\\[]{0,3}${FILE}[\`*_"'\\]]{0,3}(?=$|\\s|[:,–—])`);

/** The first place in a text with a file and a line. */
function placeIn(text: string): PlaceInText | undefined {
  const line = text.slice(0, MAX_LINE);
  const found = [ATTACHED, SPELT, LINKED]
    .map((form) => form.exec(line))
    .filter((match) => match !== null)
    .toSorted((a, b) => a.index - b.index)[0];
  const [, file, from, to] = found ?? [];
  const lines = rangeOf(from, to);
  return file === undefined || lines === undefined ? undefined : { file, lines };
}

/** Line numbers at the start of a text whose heading or parent item names the file: `Line 12: …`. */
function linesAtStart(text: string): [number, number] | undefined {
  const [, from, to] = ALONE.exec(text.slice(0, MAX_LINE)) ?? [];
  return rangeOf(from, to);
}

/** A file name at the start of a text, and the rest of the text. */
function fileAtStart(text: string): { readonly file: string; readonly rest: string } | undefined {
  const [whole = '', file] = ONLY_FILE.exec(text.slice(0, MAX_LINE)) ?? [];
  const rest = text.slice(whole.length).replace(/^[\s:,–—-]+/, '');
  return file === undefined ? undefined : { file, rest: rest.trim() };
}

function rangeOf(from: string | undefined, to: string | undefined): [number, number] | undefined {
  if (from === undefined || Number(from) < 1) return undefined;
  const [first, last] = [Number(from), Number(to ?? from)];
  return [Math.min(first, last), Math.max(first, last)];
}
