import { AssayError } from '../errors.ts';

/**
 * What a store says when it cannot take a result, with what that means for it and what brings it there once the store
 * can; anything else is thrown again.
 */
export function notKept(error: unknown, meaning: string, onward: string): AssayError {
  if (!(error instanceof AssayError && error.code.startsWith('STORE_'))) throw error;
  return new AssayError(error.code, `${meaning}: ${error.message}`, {
    cause: error,
    remedy: `${error.remedy} ${onward}`,
  });
}

/** A run is one measurement: who asks again measures again. */
export const MEASURE_AGAIN = 'This run stays out of it; the next one is stored again.';

/** What people say is in a file first. */
export const IN_ITS_FILE = 'The file has it, and is what counts.';
