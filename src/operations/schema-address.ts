/**
 * Where an editor finds the schema of a project file, as a path relative to that file: it works offline and in every
 * clone of the project.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readJson } from '../files.ts';
import { SCHEMA_ENDING } from './published-schemas.ts';

/** Not in `.assay/`, which git ignores: a clone would have addresses that lead nowhere. */
const COPIES = 'assay-schemas';

const INSTALLED = 'node_modules/assay/docs/formats';

/** Below a project, the copy of a schema that `init` makes. */
export function schemaCopyOf(name: string): string {
  return `${COPIES}/${name}${SCHEMA_ENDING}`;
}

/** The nearest copy, or that of the package where the project depends on it; else undefined. */
export function schemaAddress(file: string, name: string): string | undefined {
  const from = dirname(resolve(file));
  for (const folder of foldersFrom(from)) {
    const copy = join(folder, schemaCopyOf(name));
    if (existsSync(copy)) return pathFrom(from, copy);
    if (hasOurSchema(folder, name)) return pathFrom(from, installedSchema(folder, name));
  }
  return undefined;
}

function installedSchema(folder: string, name: string): string {
  return join(folder, INSTALLED, `${name}${SCHEMA_ENDING}`);
}

/** The name `assay` on the npm registry is not ours, so a dependency of that name may be another package. */
function hasOurSchema(folder: string, name: string): boolean {
  if (!dependsOnUs(folder)) return false;
  try {
    const { $id } = readJson(installedSchema(folder, name)) as { readonly $id?: unknown };
    return $id === `urn:assay:schema:${name}`;
  } catch {
    return false;
  }
}

/** From there upwards to the root of the repository. */
function foldersFrom(folder: string): string[] {
  const parent = dirname(folder);
  const isLast = parent === folder || existsSync(join(folder, '.git'));
  return isLast ? [folder] : [folder, ...foldersFrom(parent)];
}

/** What is installed without being a dependency is gone after the next install, and was never there for others. */
function dependsOnUs(folder: string): boolean {
  const path = join(folder, 'package.json');
  try {
    const { dependencies, devDependencies } = readJson(path) as Readonly<
      Record<string, Readonly<Record<string, string>> | undefined>
    >;
    return Object.hasOwn({ ...dependencies, ...devDependencies }, 'assay');
  } catch {
    return false;
  }
}

function pathFrom(folder: string, path: string): string {
  const way = relative(folder, path).split(sep).join('/');
  return way.startsWith('.') ? way : `./${way}`;
}
