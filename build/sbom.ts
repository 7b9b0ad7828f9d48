/** What is in the package and what comes with it, as CycloneDX 1.6: from the lock file alone, so that it is the same anywhere. */
import { createHash } from 'node:crypto';
import type { LockedPackage } from './locked-packages.ts';

export type Released = { readonly name: string; readonly version: string; readonly license: string };

export function sbomOf(released: Released, packages: readonly LockedPackage[], at: Date): object {
  const components = packages
    .filter(({ isRuntime }) => isRuntime)
    .map(componentOf)
    .toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
  const root = purlOf(released);
  const content = createHash('sha256')
    .update(JSON.stringify([root, components]))
    .digest('hex');
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(content)}`,
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': root,
        name: released.name,
        version: released.version,
        purl: root,
        licenses: [{ license: { id: released.license } }],
      },
    },
    components,
    dependencies: [{ ref: root, dependsOn: components.map((one) => one['bom-ref']) }],
  };
}

function componentOf(locked: LockedPackage) {
  const purl = purlOf(locked);
  const { licence, integrity } = locked;
  const [, group, name = locked.name] = /^(@[^/]+)\/(.+)$/.exec(locked.name) ?? [];
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group !== undefined && { group }),
    name,
    version: locked.version,
    purl,
    ...(licence !== undefined && { licenses: [licenceOf(licence)] }),
    ...(integrity !== undefined && { hashes: [{ alg: 'SHA-512', content: hexOf(integrity) }] }),
  };
}

/** Several licences are an expression, one is an identifier of SPDX. */
function licenceOf(licence: string): object {
  return / (?:OR|AND|WITH) /.test(licence) ? { expression: licence } : { license: { id: licence } };
}

function purlOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}

export function hexOf(integrity: string): string {
  const [, base64] = /^sha512-([A-Za-z0-9+/=]{88})$/.exec(integrity) ?? [];
  if (base64 === undefined) throw new Error(`${integrity} is no SHA-512`);
  return Buffer.from(base64, 'base64').toString('hex');
}

/** One of version 8: made from the content, so that the same content has the same. */
function uuidOf(hex: string): string {
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
