/** Reading files that people name: every way it can fail becomes one clear error with the path and what to do. */
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { AssayError } from './errors.ts';

/** Far above any hand-written file; a file that must be larger than this is streamed, not read. */
const MAX_BYTES = 64 * 1024 * 1024;

export function readText(path: string, maxBytes?: number): string {
  return readBytes(path, maxBytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

export function readBytes(path: string, maxBytes: number = MAX_BYTES): Buffer {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new AssayError('FILE_EXPECTED', `${path} is a ${kindOf(stats)}, not a file`);
    if (stats.size > maxBytes) {
      throw new AssayError('FILE_TOO_LARGE', `${path} has ${stats.size} bytes; the limit is ${maxBytes}`);
    }
    return readFileSync(path);
  } catch (cause) {
    throw fileError(path, cause);
  }
}

/** Nothing has this name. A link that leads nowhere, or a folder that may not be searched, is something else. */
export function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (cause) {
    throw fileError(path, cause);
  }
}

export function readJson(path: string, maxBytes?: number): unknown {
  const text = readText(path, maxBytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AssayError(
      'INPUT_INVALID',
      `${path}${placeOf(text, sayWhy(cause))} is not JSON: ${sayWhy(cause).split(/, (?:\.\.\.)?"| in JSON/)[0]}`,
      {
        cause,
      },
    );
  }
}

/** Names of the entries of a folder that end in `suffix`, sorted, so that runs do not depend on the file system. */
export function listNames(folder: string, suffix: string): string[] {
  try {
    if (!statSync(folder).isDirectory()) throw new AssayError('FOLDER_EXPECTED', `${folder} is not a folder`);
    return readdirSync(folder)
      .filter((name) => name.endsWith(suffix))
      .sort();
  } catch (cause) {
    throw fileError(folder, cause);
  }
}

/** Whether a path is in a folder, also after links are resolved. A missing path counts where it would be. */
export function isInside(folder: string, path: string): boolean {
  if (path.includes('\0')) return false;
  const to = relative(realPath(folder), realPath(resolve(folder, path)));
  return !(to === '..' || /^\.\.[/\\]/.test(to) || isAbsolute(to));
}

/** The path itself, absolute, or a refusal. */
export function insideOf(folder: string, path: string): string {
  if (isInside(folder, path)) return resolve(folder, path);
  throw new AssayError('OUTSIDE', `${JSON.stringify(path)} does not lie below ${folder}`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    const above = dirname(path);
    if (above === path || !(cause instanceof Error && 'code' in cause)) throw cause;
    if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') throw fileError(path, cause);
    // A link that leads nowhere could be made to lead anywhere.
    if (!isAbsent(path)) throw fileError(path, cause);
    return resolve(realPath(above), relative(above, path));
  }
}

export function fileError(path: string, cause: unknown): AssayError {
  if (cause instanceof AssayError) return cause;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT') {
    // Bytes that are not UTF-8 in a name appear as the replacement character.
    const odd = path.includes('\uFFFD') ? ', or its name is not UTF-8: rename it' : '';
    return new AssayError('FILE_NOT_FOUND', `${path} does not exist${odd}`, { cause });
  }
  if (code === 'EISDIR') return new AssayError('FILE_EXPECTED', `${path} is a folder, not a file`, { cause });
  if (code === 'ENOTDIR') return new AssayError('FILE_NOT_FOUND', `${path} leads through a file`, { cause });
  const why = code === 'EACCES' || code === 'EPERM' ? 'permission denied' : sayWhy(cause);
  return new AssayError('FILE_UNREADABLE', `${path} cannot be read: ${why}`, { cause });
}

function kindOf(stats: { isDirectory(): boolean }): string {
  return stats.isDirectory() ? 'folder' : 'device or pipe';
}

function sayWhy(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** JSON.parse names a position, or quotes ten characters on either side; people need a line. */
function placeOf(text: string, message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1] ?? quotedPosition(text, message);
  return position === undefined ? '' : `:${text.slice(0, Number(position)).split('\n').length}`;
}

function quotedPosition(text: string, message: string): number | undefined {
  if (message.startsWith('Unexpected end')) return text.length;
  const [, token = '', cut, quote = ''] =
    /^Unexpected token '(.)', (\.\.\.)?"([\s\S]*?)"(?:\.\.\.)? is not/u.exec(message) ?? [];
  if (quote === '') return undefined;
  return text.indexOf(quote) + (cut === undefined ? quote.lastIndexOf(token) : 10);
}
