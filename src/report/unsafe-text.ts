/** Text that comes from data is never trusted: it may hold escapes that clear a terminal or turn a line around. */

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

// What moves a cursor, clears a screen or turns a line around: C0, DEL, C1, bidirectional marks, line separators. A line
// end as we write it stays.
const DRIVES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose.
  /\r?\n|[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are an escape and what follows it.
const COLOUR = /(\u001b\[[\d;]*m)/;

/**
 * The last filter before a terminal: keeps lines, removes control sequences from any source. `coloured` text keeps its
 * colours.
 */
export function harmless(text: string, coloured = false): string {
  const still = (part: string): string =>
    part.toWellFormed().replace(DRIVES, (match) => (match.endsWith('\n') ? match : visible(match)));
  // Every second part is a colour.
  return coloured
    ? text
        .split(COLOUR)
        .map((part, i) => (i % 2 === 1 ? part : still(part)))
        .join('')
    : still(text);
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
