import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those on the way to it, where they are not there. Not the `recursive` of Node, which never ends
 * where the system says of a place such as `/proc/x` that there is no such folder, whatever was made before.
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, mode === undefined ? {} : { mode });
  } catch (cause) {
    // Somebody else may have made it meanwhile.
    if (!isFolder(path)) throw cause;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
