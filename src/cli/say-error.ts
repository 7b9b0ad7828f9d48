import { stripVTControlCharacters } from 'node:util';
import { AssayError } from '../errors.ts';
import { remedyText } from '../report/regression-words.ts';
import { harmless, plain } from '../report/unsafe-text.ts';

/** One message: what happened and where, then what to do. A stack trace only with `--debug`. */
export function sayError(error: unknown, debug: boolean): string {
  const known = error instanceof AssayError ? error : asInternal(error);
  const lines = [
    `assay: ${oneLine(known.message)} [${known.code}]`,
    `  ${oneLine(remedyText(known))}`,
    ...known.ways.flatMap(({ list = [] }) => list.map((one) => `    ${oneLine(one)}`)),
  ];
  if (debug) lines.push(harmless(stackOf(error)));
  return `${lines.join('\n')}\n`;
}

function asInternal(error: unknown): AssayError {
  const message = error instanceof Error ? error.message : String(error);
  return new AssayError('INTERNAL', `unexpected fault: ${message}`, { cause: error });
}

/** A word of a file may be as long as the file. */
const MAX_CHARS = 4000;

/** File names and file contents end up in messages; they must not steer the terminal, nor look like a second message. */
function oneLine(text: string): string {
  const line = stripVTControlCharacters(text.slice(0, 2 * MAX_CHARS)).replace(/\s+/g, ' ');
  return plain(line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line);
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  // The trace begins with the message, which may have lines that look like ours.
  const trace = (error.stack ?? error.message).replace(error.message, () => oneLine(error.message));
  return `${trace}${cause}`;
}
