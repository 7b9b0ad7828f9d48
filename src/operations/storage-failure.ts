import { AssayError, type WayOut } from '../errors.ts';

/** What a store or a file says that cannot be written. */
const NOT_WRITTEN = /^(?:STORE_\w+|OUTPUT_FAILED|FILE_BUSY)$/;

/**
 * What a store or a file says when it cannot take a result, with what that means for it and what brings it there once the store
 * can; anything else is thrown again.
 */
export function storageFailure(error: unknown, meaning: string, onward: string, way?: WayOut): AssayError {
  if (!(error instanceof AssayError && NOT_WRITTEN.test(error.code))) throw error;
  return new AssayError(error.code, `${meaning}: ${error.message}`, {
    cause: error,
    remedy:
      way === undefined
        ? `${error.remedy} ${onward}`
        : [{ say: `${onward} ${error.remedy.replace(/\.$/, '')}` }, way],
  });
}

/** A run is one measurement: who asks again measures again. */
export const MEASURE_AGAIN = 'This run stays out of it; the next one is stored again.';

/** An approval that was not stored holds for this run only. */
export const APPROVE_AGAIN = 'Then approve it again: nobody else sees it now.';

/** What people say is in a file first. */
export const IN_ITS_FILE = 'The file has it, and is what counts.';
