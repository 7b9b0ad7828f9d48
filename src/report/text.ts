/** Text that comes from data is never trusted: it may hold escapes that clear a terminal or turn a line around. */
import stringWidth from 'string-width';

// Invisible or layout-changing characters: C0, DEL, C1, soft hyphen, bidi marks and overrides, zero-width space,
// line separators, invisible operators, byte order mark, annotations, non-characters, tags (hidden ASCII).
// ZWJ and ZWNJ stay: emoji and several scripts need them.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]/gu;

/**
 * The text on one line with every unsafe character made visible: `\x1b[2J` → `␛[2J`, a newline → `␊`, a bidi
 * override → `<U+202E>`. Two different names stay different.
 */
export function plain(text: string): string {
  return text.toWellFormed().replace(UNSAFE, visible);
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** JSON text with the same characters escaped: lossless, and harmless when printed. They occur only inside strings. */
export function escapeJson(json: string): string {
  return json.replace(UNSAFE, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, i) => unicodeEscape(character.charCodeAt(i))).join(''),
  );
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** Columns a terminal needs: two for CJK and emoji, none for combining marks. */
export function widthOf(text: string): number {
  // An ASCII-only text needs no segmenter, and most cells are ASCII.
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

function takeWidth(parts: readonly string[], width: number): string {
  let taken = '';
  for (const part of parts) {
    // Measured as a whole: neighbours may join into one wider cluster.
    if (widthOf(taken + part) > width) break;
    taken += part;
  }
  return taken;
}

function takeWidthFromEnd(parts: readonly string[], width: number): string {
  let taken = '';
  for (const part of parts.toReversed()) {
    if (widthOf(part + taken) > width) break;
    taken = part + taken;
  }
  return taken;
}

/** Both ends of a name tell it apart: `7ef1c0de55a2` in seven columns is `7ef1…a2`. */
export function shortenMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 1) return width === 1 ? '…' : '';
  const head = Math.ceil((width - 1) * 0.6);
  const parts = graphemes(text.slice(0, 4 * width + 64));
  const tail = graphemes(text.slice(-(4 * width + 64)).toWellFormed());
  return `${takeWidth(parts, head)}…${takeWidthFromEnd(tail, width - 1 - head)}`;
}

/** A sentence tells most at its start. */
export function shortenEnd(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 1) return width === 1 ? '…' : '';
  return `${takeWidth(graphemes(text.slice(0, 8 * width + 64)), width - 1).trimEnd()}…`;
}

/** Lines of at most `width` columns, broken between words; a word that is longer than a line is broken inside. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (widthOf(line) > width) {
      // At least one cluster per line, or a wide character in a one-column line would never end.
      const parts = graphemes(line);
      const head = takeWidth(parts, width) || (parts[0] ?? '');
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** `a`, `a and b`, `a, b and c`. */
export function inWords(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
