/** The real Prometheus, from the system or as Debian packs it; undefined where it cannot be had. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

export type PrometheusTools = { readonly prometheus: string; readonly promtool: string };

const CACHE = resolve('node_modules/.cache/assay-prometheus');

export function prometheusTools(): PrometheusTools | undefined {
  if (isThere('promtool') && isThere('prometheus')) return { prometheus: 'prometheus', promtool: 'promtool' };
  const bin = join(CACHE, 'usr/bin');
  if (!existsSync(join(bin, 'promtool'))) download();
  const tools = { prometheus: join(bin, 'prometheus'), promtool: join(bin, 'promtool') };
  return isThere(tools.promtool) ? tools : undefined;
}

function isThere(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

function download(): void {
  mkdirSync(CACHE, { recursive: true });
  spawnSync('apt-get', ['download', 'prometheus'], { cwd: CACHE });
  const [packed] = globSync('prometheus_*.deb', { cwd: CACHE });
  if (packed !== undefined) spawnSync('dpkg', ['-x', packed, '.'], { cwd: CACHE });
}
