import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTest } from './sources.ts';

/** Started or imported from outside, or run over a store by its tests: what they export is for nobody here. */
const ENTRIES = ['src/index.ts', 'src/cli/main.ts', 'src/store/contract.ts'];

type Export = { readonly path: string; readonly name: string; readonly isType: boolean };

const texts = new Map(
  globSync(['{src,bench,docs,test,examples,web}/**/*.{ts,tsx}', 'bin/*.js'], {
    exclude: ['**/node_modules/**', '**/*.d.ts'],
  }).map((path) => [path, readFileSync(path, 'utf8')] as const),
);

const exported = [...texts].flatMap(([path, text]): Export[] => {
  if (!path.startsWith('src/') || isTest(path) || ENTRIES.includes(path)) return [];
  const declared = text.matchAll(
    /^export (?:declare |async |abstract )*(function\*?|const|let|class|type|interface) (\w+)/gm,
  );
  return [...declared].map(([, kind, name = '']) => ({
    path,
    name,
    isType: kind === 'type' || kind === 'interface',
  }));
});

/** `path name` → the files that import it. */
const users = new Map<string, Set<string>>();
for (const [path, text] of texts) {
  const use = (to: string, name: string) => {
    const key = `${normalize(join(dirname(path), to))} ${name}`;
    users.set(key, (users.get(key) ?? new Set()).add(path));
  };
  const statements = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s+'(\.[^']+)'/g,
  );
  for (const [, names = '', to = ''] of statements)
    for (const name of names.split(','))
      use(
        to,
        name
          .trim()
          .replace(/^type /, '')
          .replace(/ as \w+$/, ''),
      );
  // A module that is taken whole may be used by any name that stands in the file.
  const whole = text.matchAll(/import\(\s*'(\.[^']+)'\s*\)|\* as \w+ from '(\.[^']+)'/g);
  for (const [, dynamic, star] of whole)
    for (const name of new Set(text.match(/\w+/g))) use(dynamic ?? star ?? '', name);
}

/** Why an export should not be one, or undefined. A type that a signature of its file speaks of is no stranger there. */
function faultOf({ path, name, isType }: Export): string | undefined {
  const importing = [...(users.get(`${path} ${name}`) ?? [])];
  if (importing.some((user) => !isTest(user))) return undefined;
  const isUsedInside = (texts.get(path)?.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1;
  if (isUsedInside && (isType || importing.length > 0)) return undefined;
  if (isUsedInside) return 'only its own file uses it';
  return importing.length > 0 ? 'only tests use it' : 'nobody uses it';
}

describe('exports', () => {
  it('are found, and so is who imports them', () => {
    expect(exported.length).toBeGreaterThan(1000);
    expect(users.get('src/errors.ts AssayError')?.size).toBeGreaterThan(10);
  });

  const faults = exported.flatMap((one) => {
    const fault = faultOf(one);
    return fault === undefined ? [] : [`${one.path} ${one.name}: ${fault}`];
  });

  it('have somebody who imports them', () => {
    expect(faults).toEqual([]);
  });
});
