import { AssayError } from '../errors.ts';

/** What a store says when it cannot take a result, with what that means for it; anything else is thrown again. */
export function notKept(error: unknown, meaning: string): AssayError {
  if (!(error instanceof AssayError && error.code.startsWith('STORE_'))) throw error;
  return new AssayError(error.code, `${meaning}: ${error.message}`, {
    cause: error,
    remedy: `${error.remedy} Then do the same again: what is missing is added.`,
  });
}
