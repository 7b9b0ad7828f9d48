/** The peer for reading sessions: its native binary from npm, installed where our code does not depend on it. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

export const CCUSAGE = '20.0.24';

const FOLDER = join(import.meta.dirname, '../node_modules/.cache/assay-ccusage', CCUSAGE);
const BINARY = join(FOLDER, 'node_modules/@ccusage/ccusage-linux-x64/bin/ccusage');

/** Undefined when it cannot be had. */
export function installCcusage(): string | undefined {
  if (!existsSync(BINARY)) {
    mkdirSync(FOLDER, { recursive: true });
    const packages = [`ccusage@${CCUSAGE}`, `@ccusage/ccusage-linux-x64@${CCUSAGE}`];
    spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', FOLDER, ...packages], {
      stdio: 'ignore',
    });
  }
  if (!existsSync(BINARY)) return undefined;
  chmodSync(BINARY, 0o755);
  return BINARY;
}
