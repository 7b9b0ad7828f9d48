import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const SCHEMA = resolve('node_modules/@grafana/schema/dist/types/raw/dashboard/x/types.gen');

/** Grafana publishes its schema as types: the dashboard as a literal of them is taken or refused by the compiler. */
function complaints(dashboard: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-grafana-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = `import type { Dashboard } from '${SCHEMA}';
    // What the schema calls an enumeration is a text in JSON.
    type Written<T> = T extends string ? \`\${T}\` : T extends readonly (infer Item)[] ? Written<Item>[]
      : T extends object ? { [Key in keyof T]: Written<T[Key]> } : T;
    export const dashboard: Written<Dashboard> = ${dashboard};`;
  writeFileSync(join(folder, 'dashboard.ts'), program);
  const options =
    '--noEmit --strict --skipLibCheck --module esnext --target esnext --moduleResolution bundler';
  const words = [resolve('node_modules/typescript/bin/tsc'), ...options.split(' '), 'dashboard.ts'];
  return spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' }).stdout;
}

it.skipIf(!existsSync(`${SCHEMA}.d.ts`))(
  'has a dashboard that fits the schema of Grafana',
  () => {
    const text = readFileSync('deploy/grafana/production.json', 'utf8');
    expect(complaints(text)).toBe('');
    expect(complaints(text.replace('"graphTooltip"', '"graphTooltips"'))).toContain('\'"graphTooltips"\'');
  },
  120_000,
);
