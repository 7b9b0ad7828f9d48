/** The allowed licences of dependencies. `npm run licences` lists what is not allowed. */
import { type LockedPackage, lockedPackages } from './locked-packages.ts';

/** Whoever installs Assay may do with it what the MIT licence says. */
const RUNTIME: readonly string[] = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'Unlicense',
];
/** Used during development and not distributed. */
const DEVELOPMENT: readonly string[] = [
  ...RUNTIME,
  'MPL-2.0',
  'CC0-1.0',
  'CC-BY-4.0',
  'BlueOak-1.0.0',
  'Python-2.0',
];

/** Packages whose licence is not allowed. */
export function refusedLicences(packages: readonly LockedPackage[]): readonly string[] {
  return packages
    .filter(({ licence }) => licence !== undefined)
    .filter(({ licence = '', isRuntime }) => !isAllowed(licence, isRuntime ? RUNTIME : DEVELOPMENT))
    .map(({ name, version, licence }) => `${name} ${version}: ${licence}`);
}

/** Of `A OR B` one is enough, of `A AND B` both are needed. */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  return expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => allowed.includes(one.trim())));
}

if (import.meta.main) {
  const packages = lockedPackages();
  const refused = refusedLicences(packages);
  const absent = packages.filter(({ licence }) => licence === undefined).length;
  for (const one of refused) console.error(one);
  console.log(
    `${packages.length - absent} licences read, ${refused.length} not allowed; ${absent} packages for other systems are not installed here`,
  );
  process.exitCode = refused.length > 0 ? 1 : 0;
}
