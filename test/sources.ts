/** The source files with what they import and export, read as text: enough for rules about who uses what. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export type Import = { readonly from: string; readonly to: string; readonly typeOnly: boolean };

/** Paths below `src/` without it, paths of `web/` with it. */
export const sources = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}'], {
  exclude: ['**/node_modules/**', '**/*.d.ts'],
})
  .map(placeOf)
  .sort();
export const production = sources.filter((path) => !isTest(path));

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || /(^|\/)testing\//.test(path) || path.startsWith('test/');
}

function placeOf(path: string): string {
  return path.startsWith('src/') ? path.slice('src/'.length) : path;
}

const texts = new Map<string, string>();

export function read(path: string): string {
  const text = texts.get(path) ?? readFileSync(path.startsWith('web/') ? path : join('src', path), 'utf8');
  texts.set(path, text);
  return text;
}

/** Without comments: what a rule about words in code may look at. */
export function codeOf(path: string): string {
  return read(path)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '');
}

export function importsOf(path: string): Import[] {
  const code = read(path);
  const statements = code.matchAll(/(?:^|\n)\s*(?:import|export)\s+(type\s+)?([^;'"]*?)from\s+'(\.[^']+)'/g);
  const dynamic = code.matchAll(/(typeof )?import\('(\.[^']+)'\)/g);
  const base = path.startsWith('web/') ? dirname(path) : join('src', dirname(path));
  const resolved = (to: string) => placeOf(normalize(join(base, to)));
  return [
    ...[...statements].map(([, type, names = '', to = '']) => ({
      from: path,
      to: resolved(to),
      typeOnly: type !== undefined || /^\{(\s*type\s+\w+( as \w+)?,?)+\s*\}\s*$/.test(names),
    })),
    ...[...dynamic].map(([, type, to = '']) => ({
      from: path,
      to: resolved(to),
      typeOnly: type !== undefined,
    })),
  ];
}
