/** The bill of materials by the schema that CycloneDX publishes, with the list of licences it refers to. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockedPackages } from '../../build/locked-packages.ts';
import { sbomOf } from '../../build/sbom.ts';
import { CYCLONEDX, fetchTools } from '../fetched-tools.ts';

const tools = fetchTools(CYCLONEDX);

type Bill = { readonly components: readonly object[] };

/** Gives what is wrong with a bill. */
function openSchema(folder: string): (bill: object) => readonly object[] {
  const load = createRequire(join(folder, 'package.json'));
  const schemas = join(folder, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
  // As they are published, but for the names by which they refer to each other.
  const read = (name: string) =>
    JSON.parse(
      readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8').replaceAll('.SNAPSHOT.', '.'),
    );
  const ajv = new (load('ajv').default)({ strict: false, allErrors: true });
  load('ajv-formats').default(ajv);
  for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true);
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs']) ajv.addSchema(read(name));
  const check = ajv.compile(read('bom-1.6'));
  return (bill) => {
    check(JSON.parse(JSON.stringify(bill)));
    return check.errors ?? [];
  };
}

describe.skipIf(tools === undefined)('the bill of materials', () => {
  it('is CycloneDX 1.6', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    const bill = sbomOf(manifest, lockedPackages(), new Date('2026-11-10T10:00:00.000Z')) as Bill;
    const faultsIn = openSchema(tools ?? '');
    expect(bill.components.length).toBeGreaterThan(20);
    expect(faultsIn(bill)).toEqual([]);
    const licenses = [{ license: { id: 'No-Such-Licence' } }];
    expect(faultsIn({ ...bill, components: [{ ...bill.components[0], licenses }] })).not.toEqual([]);
  });
});
