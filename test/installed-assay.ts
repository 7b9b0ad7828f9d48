/**
 * Assay in a project, added as docs/ci.md says: npm installs a tarball in the project. The tarball here is small; its
 * program starts the Assay under test.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installSource } from '../src/cli/install-source.ts';
import { bareEnv } from './bare-env.ts';
import { LAUNCHER } from './launcher.ts';

/** Whatever asks a registry fails, so a step that works has taken nothing from one. */
export const NO_REGISTRY = {
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_fetch_retries: '0',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
} as const;

/** Puts the tarball where the documentation says. */
export function packInto(project: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-stub-'));
  try {
    const { name, version, bin } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly name: string;
      readonly version: string;
      readonly bin: Readonly<Record<string, string>>;
    };
    writeFileSync(join(scratch, 'package.json'), JSON.stringify({ name, version, bin, type: 'module' }));
    mkdirSync(join(scratch, 'bin'));
    const start = `#!/usr/bin/env node\nawait import(${JSON.stringify(pathToFileURL(LAUNCHER).href)});\n`;
    writeFileSync(join(scratch, 'bin/assay.js'), start, { mode: 0o755 });
    mkdirSync(join(project, 'vendor'));
    npm(scratch, scratch, 'pack', '--pack-destination', join(project, 'vendor'));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Makes a dependency of it, with a lock file. */
export function addAssay(project: string): void {
  packInto(project);
  const manifest = join(project, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }');
  npm(project, project, 'install', '--save-dev', installSource());
}

function npm(cwd: string, home: string, ...words: readonly string[]): void {
  const env = { ...bareEnv(home), ...NO_REGISTRY };
  execFileSync('npm', [...words, '--silent'], { cwd, env, stdio: 'pipe' });
  rmSync(join(home, '.npm'), { recursive: true, force: true });
}
