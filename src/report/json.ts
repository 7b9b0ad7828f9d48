import { escapeJson } from './unsafe-text.ts';

/**
 * What `JSON.stringify(value, null, 2)` gives and a newline, a piece at a time: of the lists in it one item after the
 * other, so that a list may be any iterable and no two of its items need be there together.
 */
export function* renderJson(value: object): Generator<string> {
  for (const text of inPieces(isList(value) ? piecesOfList(value, '') : piecesOf(value)))
    yield escapeJson(text);
  yield '\n';
}

/** One JSON object per line. */
export function* renderJsonl(rows: Iterable<object>): Generator<string> {
  for (const row of rows) yield `${escapeJson(JSON.stringify(row))}\n`;
}

function* piecesOf(value: object): Generator<string> {
  let mark = '{';
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    yield `${mark}\n  ${JSON.stringify(key)}: `;
    if (isList(item)) yield* piecesOfList(item, '  ');
    else yield indented(item, '  ');
    mark = ',';
  }
  yield mark === '{' ? '{}' : '\n}';
}

function* piecesOfList(list: Iterable<unknown>, indent: string): Generator<string> {
  let mark = '[';
  for (const item of list) {
    yield `${mark}\n${indent}  ${indented(item, `${indent}  `)}`;
    mark = ',';
  }
  yield mark === '[' ? '[]' : `\n${indent}]`;
}

/** Only whitespace outside of strings: line breaks in strings are escaped. */
function indented(value: unknown, indent: string): string {
  return (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', `\n${indent}`);
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** Characters that are given at once. */
const AT_ONCE = 1 << 16;

/** Joins short texts into longer ones, to save work per text. */
export function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < AT_ONCE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
