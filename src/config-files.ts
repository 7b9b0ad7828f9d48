/** The names of a configuration file, without the checker of its content: seeing that there is none must be quick. */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const CONFIG_FILES = ['assay.config.ts', 'assay.config.js', 'assay.config.json'] as const;

/** The nearest one from `folder` upwards. */
export function findConfigFile(folder: string): string | undefined {
  const path = CONFIG_FILES.map((name) => join(folder, name)).find(isThere);
  if (path !== undefined) return path;
  const parent = dirname(folder);
  return parent === folder ? undefined : findConfigFile(parent);
}

/** A link that leads nowhere is there: whoever made it does not want the defaults. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A folder further up that may not be searched holds no configuration for us.
    return false;
  }
}
