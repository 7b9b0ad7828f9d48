/** Every failure of SQLite or of the file system below it becomes an AssayError here and nowhere else. */
import { AssayError, type ErrorCode } from '../../errors.ts';

// https://www.sqlite.org/rescode.html; the low byte is the kind, the rest the detail.
const BUSY = 5;
const READONLY = 8;
const READONLY_DIRECTORY = 1544;
const CANTOPEN = 14;

// Our statements are fixed and what they store is checked: what SQLite finds wrong with them is wrong with the file.
const KINDS: Readonly<Record<number, readonly [code: ErrorCode, what: string]>> = {
  1: ['STORE_CORRUPT', 'is damaged'],
  3: ['STORE_UNREADABLE', 'may not be opened'],
  [BUSY]: ['STORE_BUSY', 'is held by another process'],
  6: ['STORE_BUSY', 'is held by another connection'],
  [READONLY]: ['STORE_UNREADABLE', 'cannot be written: the file or its folder is read-only'],
  10: ['STORE_UNREADABLE', 'could not be read or written by the system'],
  11: ['STORE_CORRUPT', 'is damaged'],
  13: ['STORE_FULL', 'could not grow'],
  [CANTOPEN]: ['STORE_UNREADABLE', 'cannot be opened'],
  15: ['STORE_BUSY', 'is held by other processes'],
  18: ['INPUT_INVALID', 'cannot hold a value this large'],
  19: ['STORE_CORRUPT', 'is damaged'],
  20: ['STORE_CORRUPT', 'is damaged'],
  26: ['STORE_CORRUPT', 'is not an Assay store'],
};

const DETAILS: Readonly<Record<number, readonly [code: ErrorCode, what: string]>> = {
  522: ['STORE_CORRUPT', 'is truncated'],
  4874: ['STORE_FULL', 'could not grow'],
  8458: ['STORE_CORRUPT', 'is damaged'],
};

const SYSTEM_FULL = new Set(['ENOSPC', 'EDQUOT']);

export function toAssayError(error: unknown, path: string): AssayError {
  if (error instanceof AssayError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const errcode = errcodeOf(error);
  if (errcode !== undefined) {
    const known = DETAILS[errcode] ?? KINDS[errcode & 0xff];
    if (known !== undefined)
      return new AssayError(known[0], `${path} ${known[1]} (${message})`, { cause: error });
  } else if (error instanceof Error && 'syscall' in error && 'code' in error) {
    const code = SYSTEM_FULL.has(String(error.code)) ? 'STORE_FULL' : 'STORE_UNREADABLE';
    return new AssayError(code, `${path} cannot be opened (${message})`, { cause: error });
  }
  // Node refuses to read an integer that a number cannot hold; we never write one.
  const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
  return new AssayError(tooLarge ? 'STORE_CORRUPT' : 'INTERNAL', `${path}: ${message}`, { cause: error });
}

export function isBusy(error: unknown): boolean {
  return ((errcodeOf(error) ?? 0) & 0xff) === BUSY;
}

export function isReadOnly(error: unknown): boolean {
  return ((errcodeOf(error) ?? 0) & 0xff) === READONLY;
}

/** SQLite needs two more files for a store in WAL mode and may not create them. */
export function needsWritableFolder(error: unknown): boolean {
  const errcode = errcodeOf(error);
  return errcode === READONLY_DIRECTORY || errcode === CANTOPEN;
}

function errcodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined;
}
