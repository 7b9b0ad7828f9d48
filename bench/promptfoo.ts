/** The peer for measuring answers, from npm, installed where our code does not depend on it: some 1.9 GB. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PROMPTFOO = '0.123.1';

const FOLDER = join(import.meta.dirname, '../node_modules/.cache/assay-peers', `promptfoo-${PROMPTFOO}`);
const PROGRAM = join(FOLDER, 'node_modules/.bin/promptfoo');

/** The program, and the folder it is installed in; undefined when it cannot be had. PROMPTFOO= names one that is installed. */
export function installPromptfoo(): { readonly program: string; readonly folder: string } | undefined {
  const named = process.env.PROMPTFOO;
  if (named !== undefined) return { program: named, folder: join(dirname(named), '../..') };
  if (!existsSync(PROGRAM)) {
    console.error('installing promptfoo, which takes some minutes …');
    mkdirSync(FOLDER, { recursive: true });
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', FOLDER];
    spawnSync('npm', ['install', ...flags, `promptfoo@${PROMPTFOO}`], { stdio: 'ignore' });
  }
  return existsSync(PROGRAM) ? { program: PROGRAM, folder: FOLDER } : undefined;
}

/** Its cache is in a folder of the benchmark, and it calls no server. */
export function promptfooEnv(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    PROMPTFOO_CONFIG_DIR: join(home, '.promptfoo'),
    PROMPTFOO_DISABLE_TELEMETRY: '1',
    PROMPTFOO_DISABLE_UPDATE: '1',
  };
}
