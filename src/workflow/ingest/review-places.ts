/** References to a place in a file, as people and models write them in prose. */

export type PlaceInText = { readonly file: string; readonly lines?: [number, number] };

/** Every part is bounded: a hostile line costs no more than a long one. */
const MAX_LINE = 2000;

/** A name with an extension that begins with a letter, with folders or without; never the tail of an address. */
const FOLDER = String.raw`(?:\[[\w.-]{1,60}\]|\([\w.-]{1,60}\)|[\w@.+~-]{1,100})[/\\]`;
const NAME = String.raw`(?:\[[\w.-]{1,60}\]|[\w@+~-][\w@.+~-]{0,100})\.[A-Za-z]\w{0,9}`;
const FILE = String.raw`(?<![\w/.\\@+~-])((?:${FOLDER}){0,30}${NAME})`;
const RANGE = String.raw`L?(\d{1,9})(?::\d{1,9})?(?:\s?(?:-|–|to)\s?L?(\d{1,9})(?::\d{1,9})?)?`;
/** What may stand between the file and its lines: the end of a code span, of bold text or of quotes. */
const CLOSING = '[`*_"\']{0,3}';

const ATTACHED = new RegExp(`${FILE}${CLOSING}[:#]${RANGE}`);
const SPELT = new RegExp(
  `${FILE}${CLOSING},?\\s{0,2}\\(?(?:(?:at|on)\\s)?(?:lines?\\s?|(?=L\\d))${RANGE}`,
  'i',
);
const LINKED = new RegExp(`/blob/[\\w.-]{1,100}/([^\\s)#]{1,300})#${RANGE}`);
const ALONE = new RegExp(`^[\`*_(]{0,3}(?:lines?\\s|(?=L\\d))${RANGE}(?!\\w)`, 'i');
const ONLY_FILE = new RegExp(`^[\`*_"'\\[]{0,3}${FILE}[\`*_"'\\]]{0,3}(?=$|\\s|[:,–—])`);

/** The first place in a text that names a file and a line. */
export function placeIn(text: string): PlaceInText | undefined {
  const line = text.slice(0, MAX_LINE);
  const found = [ATTACHED, SPELT, LINKED]
    .map((form) => form.exec(line))
    .filter((match) => match !== null)
    .toSorted((a, b) => a.index - b.index)[0];
  const [, file, from, to] = found ?? [];
  const lines = rangeOf(from, to);
  return file === undefined || lines === undefined ? undefined : { file, lines };
}

/** Lines that a text begins with, where a heading or an item above names the file: `Line 12: …`. */
export function linesAtStart(text: string): [number, number] | undefined {
  const [, from, to] = ALONE.exec(text.slice(0, MAX_LINE)) ?? [];
  return rangeOf(from, to);
}

/** A file that a text begins with, and what follows it. */
export function fileAtStart(text: string): { readonly file: string; readonly rest: string } | undefined {
  const [whole = '', file] = ONLY_FILE.exec(text.slice(0, MAX_LINE)) ?? [];
  const rest = text.slice(whole.length).replace(/^[\s:,–—-]+/, '');
  return file === undefined ? undefined : { file, rest: rest.trim() };
}

function rangeOf(from: string | undefined, to: string | undefined): [number, number] | undefined {
  if (from === undefined || Number(from) < 1) return undefined;
  const [first, last] = [Number(from), Number(to ?? from)];
  return [Math.min(first, last), Math.max(first, last)];
}
