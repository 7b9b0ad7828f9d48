import { AssayError } from '../../errors.ts';
import type { Appended } from '../../store/store.ts';

/** Whether the store has it from us: under its derived key another process may have been sooner, in other words. */
export async function isNew(appended: Promise<Appended>): Promise<boolean> {
  try {
    return (await appended).added > 0;
  } catch (error) {
    if (error instanceof AssayError && error.code === 'STORE_CONFLICT') return false;
    throw error;
  }
}
