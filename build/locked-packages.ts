/** What the lock file says is installed, and what the packages that are here say of themselves. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type LockedPackage = {
  readonly name: string;
  readonly version: string;
  /** Whoever installs Assay gets it as well. */
  readonly isRuntime: boolean;
  /** `sha512-…`, as the registry has it. */
  readonly integrity?: string;
  /** Undefined: it is for another system, and not installed here. */
  readonly licence?: string;
};

type Lock = {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly integrity?: string;
        readonly dev?: boolean;
        readonly devOptional?: boolean;
        readonly optional?: boolean;
      }
    >
  >;
};

export function lockedPackages(root = '.'): readonly LockedPackage[] {
  const { packages }: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version = '', integrity, dev, devOptional, optional }]) => {
      const licence = licenceIn(join(root, path));
      if (licence === undefined && optional !== true)
        throw new Error(`${path} is in package-lock.json and not installed: npm install`);
      return {
        name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
        version,
        isRuntime: dev !== true && devOptional !== true,
        ...(integrity !== undefined && { integrity }),
        ...(licence !== undefined && { licence }),
      };
    });
}

function licenceIn(folder: string): string | undefined {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(path, 'utf8'));
  const said: unknown = license?.type ?? license ?? licenses?.[0]?.type;
  return typeof said === 'string' && said !== '' ? said : 'none';
}
