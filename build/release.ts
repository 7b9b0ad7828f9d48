/**
 * `npm run release -- [--out release] [--key private.pem] [--builder urn:…]` makes what a release is: the package (built twice,
 * the same bytes), its software bill of materials, the provenance and the checksums. Nothing is published.
 *
 * `npm run release -- verify FOLDER [--key public.pem]` holds them against each other, and the signature against the key.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { audit, sayAudit } from './audit.ts';
import { refusedLicences } from './licences.ts';
import { lockedPackages } from './locked-packages.ts';
import {
  faultsIn,
  openEnvelope,
  provenanceOf,
  type Statement,
  sha256,
  signedStatement,
} from './provenance.ts';
import { packTwice } from './reproducible.ts';
import { sbomOf } from './sbom.ts';

const REPOSITORY = 'https://github.com/your-organisation/assay';
const STATEMENT = 'provenance.intoto.json';
const SIGNED = 'provenance.intoto.jsonl';
const SUMS = 'SHA256SUMS';

type Wishes = {
  readonly out: string;
  readonly key?: string;
  readonly builder: string;
  readonly repository: string;
};

function release({ out, key, builder, repository }: Wishes): void {
  const dirty = git('status', '--porcelain');
  if (dirty !== '') throw new Error(`a release is made of what is committed:\n${dirty}`);
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const packages = lockedPackages();
  const refused = refusedLicences(packages);
  if (refused.length > 0) throw new Error(`licences that are not allowed:\n${refused.join('\n')}`);
  const audited = audit();
  console.log(sayAudit(audited));
  if (audited.state === 'weak') throw new Error('a release with a known weakness is not made');
  // Of the commit, or as `SOURCE_DATE_EPOCH` says: a release that is made again is the same.
  const seconds = process.env.SOURCE_DATE_EPOCH ?? git('log', '-1', '--format=%ct');
  const at = new Date(Number(seconds) * 1000);
  const name = `${manifest.name}-${manifest.version}`;
  const files = new Map<string, Uint8Array>([
    [`${name}.tgz`, packTwice()],
    [`${name}.cdx.json`, jsonOf(sbomOf(manifest, packages, at))],
  ]);
  const commit = git('rev-parse', 'HEAD');
  const statement = provenanceOf({ files, commit, repository, packages, builder, at, node: process.version });
  mkdirSync(out, { recursive: true });
  for (const [file, bytes] of files) writeFileSync(join(out, file), bytes);
  writeFileSync(join(out, STATEMENT), jsonOf(statement));
  if (key !== undefined)
    writeFileSync(
      join(out, SIGNED),
      `${JSON.stringify(signedStatement(statement, readFileSync(key, 'utf8')))}\n`,
    );
  const sums = [...files].map(([file, bytes]) => `${sha256(bytes)}  ${file}\n`);
  writeFileSync(join(out, SUMS), sums.join(''));
  console.log(
    `${out}: ${[...files.keys(), STATEMENT, ...(key === undefined ? [] : [SIGNED]), SUMS].join(', ')}`,
  );
}

function check(folder: string, key: string | undefined): void {
  const read = (file: string) => readFileSync(join(folder, file));
  const statement: Statement =
    key === undefined
      ? JSON.parse(read(STATEMENT).toString('utf8'))
      : openEnvelope(JSON.parse(read(SIGNED).toString('utf8')), readFileSync(key, 'utf8'));
  const faults = faultsIn(statement, read);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const signed = key === undefined ? 'nobody vouches for it: name a --key' : 'signed with this key';
  console.log(`${statement.subject.length} files are as the provenance says, which is ${signed}`);
  if (key === undefined && existsSync(join(folder, SIGNED))) console.log(`${SIGNED} is signed`);
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

function jsonOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'release' },
    key: { type: 'string' },
    builder: { type: 'string', default: 'urn:assay:builder:by-hand' },
    repository: { type: 'string', default: REPOSITORY },
  },
});
if (positionals[0] === 'verify') check(positionals[1] ?? values.out, values.key);
else release(values as Wishes);
