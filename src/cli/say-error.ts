import { stripVTControlCharacters } from 'node:util';
import { AssayError } from '../errors.ts';

/** One message: what happened and where, then what to do. A stack trace only when asked for. */
export function sayError(error: unknown, debug: boolean): string {
  const known = error instanceof AssayError ? error : asInternal(error);
  const lines = [`assay: ${oneLine(known.message)} [${known.code}]`, `  ${known.remedy}`];
  if (debug) lines.push(stackOf(error));
  return `${lines.join('\n')}\n`;
}

function asInternal(error: unknown): AssayError {
  const message = error instanceof Error ? error.message : String(error);
  return new AssayError('INTERNAL', `unexpected fault: ${message}`, { cause: error });
}

/** File names and file contents end up in messages; they must not steer the terminal. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  return stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
