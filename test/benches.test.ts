import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BENCHES } from '../bench/benches.ts';

const SCRIPTS: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
const known = Object.values(BENCHES).map(({ file }) => `bench/${file}`);

/** `bench/x.ts` as it is, and what `npm run bench:x` runs. */
function benchesNamedIn(page: string): string[] {
  const text = readFileSync(page, 'utf8');
  const named: string[] = text.match(/\bbench\/[a-z-]+\.ts\b/g) ?? [];
  for (const command of text.match(/\bnpm run bench:[a-z-]+/g) ?? [])
    named.push(...(SCRIPTS[command.slice('npm run '.length)]?.match(/bench\/[a-z-]+\.ts/g) ?? [command]));
  return [...new Set(named)];
}

it('every benchmark that a page names is run by `npm run bench`, and knows that page', () => {
  for (const page of ['README.md', ...globSync('docs/**/*.md')]) {
    for (const file of benchesNamedIn(page)) {
      expect(known, `${page} names ${file}`).toContain(file);
      const pages = Object.values(BENCHES).flatMap((one) => (`bench/${one.file}` === file ? one.stated : []));
      expect(pages, `${file} is named in ${page}`).toContain(page);
    }
  }
});

it('every benchmark that has a script is run by `npm run bench`', () => {
  const scripts = Object.entries(SCRIPTS).filter(([name]) => name.startsWith('bench:'));
  for (const [name, script] of scripts)
    for (const file of script.match(/bench\/[a-z-]+\.ts/g) ?? []) expect(known, name).toContain(file);
});

it('every benchmark is there, is named by the pages that state its figures, and has its place in bench/README.md', () => {
  const readme = readFileSync('bench/README.md', 'utf8');
  for (const [name, { file, stated }] of Object.entries(BENCHES)) {
    expect(existsSync(`bench/${file}`), file).toBe(true);
    expect(readme).toContain(`\n## ${name}\n`);
    expect(readme, name).toContain(`\n| [${name}](#${name}) | `);
    for (const page of stated) expect(existsSync(page), `${page}, where ${name} is stated`).toBe(true);
  }
});
