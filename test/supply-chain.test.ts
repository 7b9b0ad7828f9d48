/** What a release brings along, and how anybody can tell what it was made from. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAudit, sayAudit } from '../build/audit.ts';
import { isAllowed, refusedLicences } from '../build/licences.ts';
import { lockedPackages } from '../build/locked-packages.ts';
import { type Envelope, faultsIn, openEnvelope, provenanceOf, signedStatement } from '../build/provenance.ts';
import { sbomOf } from '../build/sbom.ts';
import { ciStep } from '../src/cli/init-texts.ts';
import { installSource } from '../src/cli/install-source.ts';
import { takenFromRegistry } from './taken-from-registry.ts';

const packages = lockedPackages();
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const at = new Date('2026-11-10T10:00:00.000Z');

describe('licences', () => {
  it('of every dependency that is installed are on the list', () => {
    expect(packages.filter(({ licence }) => licence !== undefined).length).toBeGreaterThan(100);
    expect(refusedLicences(packages)).toEqual([]);
  });

  it('are refused when they are not, or when a package says none', () => {
    const given = { name: 'x', version: '1.0.0', isRuntime: true };
    const refused = ['GPL-3.0-only', 'none', 'MIT AND GPL-3.0-only', 'MPL-2.0', 'UNLICENSED'];
    for (const licence of refused) expect(refusedLicences([{ ...given, licence }])).toHaveLength(1);
    expect(refusedLicences([{ ...given, isRuntime: false, licence: 'MPL-2.0' }])).toEqual([]);
    expect(isAllowed('(AFL-2.1 OR BSD-3-Clause)', ['BSD-3-Clause'])).toBe(true);
  });

  it('know every package that the manifest asks for as one that is passed on', () => {
    const passedOn = packages.filter(({ isRuntime }) => isRuntime).map(({ name }) => name);
    expect(passedOn).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
    expect(passedOn).not.toContain('vitest');
  });
});

describe('the audit', () => {
  const metadata = { vulnerabilities: { high: 1, total: 1 } };

  it('passes when the registry answers that nothing is known', () => {
    const answer = JSON.stringify({ vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } });
    expect(readAudit(answer, '')).toEqual({ state: 'passed', counts: { total: 0 } });
  });

  it('names what is high or critical', () => {
    const answer = JSON.stringify({
      vulnerabilities: { a: { severity: 'high' }, b: { severity: 'low' } },
      metadata,
    });
    expect(readAudit(answer, '')).toEqual({ state: 'weak', names: ['a: high'] });
  });

  it('never passes when nobody answered', () => {
    const refused = '{ "message": "405 Method Not Allowed", "error": { "summary": "" } }';
    const said = 'npm warn audit 405 Method Not Allowed - POST https://registry.example/-/bulk\n';
    for (const [stdout, stderr] of [
      [refused, said],
      ['', ''],
      ['<html>', 'npm error code ENOTFOUND'],
    ] as const) {
      const audited = readAudit(stdout, stderr);
      expect(audited.state).toBe('not asked');
      expect(sayAudit(audited)).toMatch(/^NOT AUDITED/);
      expect(sayAudit(audited)).not.toContain('registry.example');
    }
  });
});

describe('the name of the package, which is not ours on the npm registry', () => {
  const name: string = manifest.name;
  const inClone = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  // What was, what npm writes, and transcripts of other people's work.
  const paths = inClone
    .split('\0')
    .filter((path) => path !== '' && !/^(?:CHANGELOG\.md|package-lock\.json|test\/fixtures\/.*)$/.test(path));

  it('is taken from there by no file', () => {
    expect(paths).toEqual(expect.arrayContaining(['action.yml', 'README.md', 'docs/ci.md', 'package.json']));
    const found = paths
      .filter((path) => existsSync(path))
      .flatMap((path) => takenFromRegistry(readFileSync(path, 'utf8')).map((words) => `${path}: ${words}`));
    expect(found).toEqual([]);
  });

  const found = { golden: 0, prompts: false, truths: [], gitlab: false, github: false };
  it.each(
    (['github', 'gitlab'] as const).flatMap((ci) =>
      (['decomposition', 'workflow'] as const).flatMap((measured) =>
        [true, false].map((packageJson) => ({ ci, measured, packageJson })),
      ),
    ),
  )('is taken from there by no step of `assay init`: %o', ({ ci, measured, packageJson }) => {
    const { text = '' } = ciStep({ ci, measured }, { ...found, packageJson }).ci ?? {};
    expect(text).toContain(`npx --no-install ${name} ${measured}`);
    expect(text).toContain(installSource());
    expect(takenFromRegistry(text)).toEqual([]);
  });

  it.each([
    `npx ${name} run`,
    `npx --yes ${name}@0.1.0`,
    `npx --no ${name} --version`,
    `assay=(npx --yes "${name}@$ASSAY_VERSION"); fi`,
    `npx \\\n  ${name}`,
    `npx -p ${name} other`,
    `npx --package=${name}@1 other`,
    `npx --prefix sub ${name}`,
    `{ "command": "npx", "args": ["-y", "${name}", "mcp"] }`,
    `{\n  "command": "npx",\n  "args": [\n    "${name}"`,
    `command: npx\nargs:\n  - ${name}`,
    `spawnSync('npx', ['${name}'])`,
    `npm exec ${name}`,
    `npm --silent x -- ${name}`,
    `npm install --no-save ${name}`,
    `npm i -g node@24 ${name}@latest`,
    `npm link ${name}`,
    `RUN npm ci && npm add ${name}`,
    `pnpm dlx ${name}`,
    `yarn dlx ${name}`,
    `yarn global add ${name}`,
    `bunx ${name}`,
    `bun add ${name}`,
    `import 'https://cdn.example/${name}@0.1.0/dist/index.js'`,
    `https://cdn.example/npm/${name}/docs/formats/golden-case.schema.json`,
    `deno run npm:${name}`,
    `{ "devDependencies": { "${name}": "^0.1.0" } }`,
  ])('is found in: %s', (text) => {
    expect(takenFromRegistry(text)).toHaveLength(1);
  });

  it.each([
    `npx --no-install ${name} run`,
    `npx --yes --package=./vendor/${name}-0.1.0.tgz ${name} --version`,
    `npm install --save-dev ${installSource()}`,
    `npm pack ../${name} --pack-destination vendor`,
    `npm install && npm start # ${name}`,
    `npm ci\n${name} run`,
    `npm install @other/${name} ${name}-cli`,
    `npx tsc --noEmit && ${name} run`,
    `{ "bin": { "${name}": "bin/assay.js" }, "devDependencies": { "${name}": "file:vendor/assay.tgz" } }`,
    `https://github.com/your-organisation/${name}`,
  ])('is not found in: %s', (text) => {
    expect(takenFromRegistry(text)).toEqual([]);
  });
});

type Component = {
  readonly purl: string;
  readonly name: string;
  readonly hashes: readonly { content: string }[];
};

describe('the bill of materials', () => {
  const sbom = sbomOf(manifest, packages, at) as {
    readonly components: readonly Component[];
    readonly serialNumber: string;
    readonly specVersion: string;
  };

  it('names every package that comes along, with its version and its digest, and no other', () => {
    const passedOn = packages.filter(({ isRuntime }) => isRuntime);
    expect(sbom.specVersion).toBe('1.6');
    expect(sbom.components.map(({ purl }) => purl).toSorted()).toEqual(
      passedOn.map(({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`).toSorted(),
    );
    for (const { hashes } of sbom.components) expect(hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
    expect(new Set(sbom.components.map(({ purl }) => purl)).size).toBe(sbom.components.length);
  });

  it('is the same when it is made again', () => {
    expect(sbomOf(manifest, lockedPackages(), at)).toEqual(sbom);
    expect(sbom.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});

describe('the provenance', () => {
  const files = new Map([
    ['assay.tgz', Buffer.from('bytes of the package')],
    ['assay.cdx.json', Buffer.from('{}')],
  ]);
  const read = (name: string) => files.get(name) ?? Buffer.alloc(0);
  const statement = provenanceOf({
    files,
    commit: 'c'.repeat(40),
    repository: 'https://example.org/assay',
    packages,
    builder: 'urn:assay:builder:by-hand',
    at,
    node: process.version,
  });
  const pair = () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    return {
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    };
  };

  it('says of which commit and of which dependencies the files are', () => {
    expect(faultsIn(statement, read)).toEqual([]);
    const { resolvedDependencies } = statement.predicate.buildDefinition;
    expect(resolvedDependencies[0]).toEqual({
      uri: 'git+https://example.org/assay',
      digest: { gitCommit: 'c'.repeat(40) },
    });
    expect(resolvedDependencies.length).toBe(packages.length + 1);
  });

  it('finds a file that was changed, and one that is gone', () => {
    const changed = (name: string) => (name === 'assay.tgz' ? Buffer.from('other bytes') : read(name));
    expect(faultsIn(statement, changed)).toEqual(['assay.tgz is not the file that was released']);
    const gone = () => {
      throw new Error('ENOENT');
    };
    expect(faultsIn(statement, gone)).toHaveLength(2);
    expect(faultsIn({ subject: [] }, read)).toHaveLength(1);
  });

  it('is believed only when the key that is named has signed it, as it is', () => {
    const [ours, theirs] = [pair(), pair()];
    const envelope = signedStatement(statement, ours.privateKey);
    expect(openEnvelope(envelope, ours.publicKey)).toEqual(statement);
    expect(() => openEnvelope(envelope, theirs.publicKey)).toThrow('has not signed');
    const payload = Buffer.from(JSON.stringify({ ...statement, subject: [] })).toString('base64');
    const forged: Envelope = { ...envelope, payload };
    expect(() => openEnvelope(forged, ours.publicKey)).toThrow('has not signed');
    expect(() => openEnvelope({ ...envelope, signatures: [] }, ours.publicKey)).toThrow('has not signed');
  });
});
