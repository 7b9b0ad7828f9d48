import { storeExists } from '../store/open.ts';

/** Whether there is a store at an address: looking something up must not make one. */
export function hasStore(address: string): boolean {
  return storeExists(address);
}
