/** The names of a configuration file, without the checker of its content: seeing that there is none must be quick. */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { userConfigFolder } from './own-folder.ts';

/** Reading one of these runs it. */
export const PROGRAM_FILES = ['assay.config.ts', 'assay.config.js'] as const;
export const DATA_FILES = ['assay.config.json', 'assay.config.yaml', 'assay.config.yml'] as const;
export const CONFIG_FILES = [...PROGRAM_FILES, ...DATA_FILES];

export type ConfigPlace = {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Nobody typed a command in this folder: a file that is a program must not run. */
  readonly dataOnly?: boolean | undefined;
};

export type ConfigFile = {
  readonly path: string;
  /** The user's own configuration, for every folder that has none. */
  readonly isUsers: boolean;
};

/** The nearest one from the folder upwards, otherwise the user's own. */
export function findConfigFile({ folder, env, dataOnly = false }: ConfigPlace): ConfigFile | undefined {
  const path = nearestFile(folder, dataOnly ? DATA_FILES : CONFIG_FILES);
  if (path !== undefined) return { path, isUsers: false };
  const own = firstIn(userConfigFolder(env), DATA_FILES);
  return own === undefined ? undefined : { path: own, isUsers: true };
}

export function nearestFile(folder: string, names: readonly string[]): string | undefined {
  const path = firstIn(folder, names);
  if (path !== undefined) return path;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestFile(parent, names);
}

function firstIn(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(folder, name)).find(isThere);
}

/** True for a dangling link: its author does not want the defaults. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A folder further up that may not be searched holds no configuration for us.
    return false;
  }
}
