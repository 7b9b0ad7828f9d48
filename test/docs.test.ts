import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedPages } from '../docs/generate.ts';
import { PICTURES } from '../docs/pictures/pictures.ts';
import { COMMANDS } from '../src/cli/command-list.ts';
import { ERRORS } from '../src/errors.ts';

const pages = await generatedPages();
const written = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md']);

describe('generated pages', () => {
  it('are what the source says (npm run docs)', () => {
    for (const [path, text] of pages) expect(readFileSync(join('docs', path), 'utf8'), path).toBe(text);
  });

  it('are removed with the metric or the result that they describe', () => {
    const present = globSync(['metrics/**/*.md', 'formats/*.schema.json'], { cwd: 'docs' });
    expect(present.filter((path) => !pages.has(path))).toEqual([]);
  });
});

describe('error codes', () => {
  it('are all thrown somewhere, and documented', () => {
    const source = globSync('{src,bin}/**/*.{ts,js}')
      .filter((path) => path !== 'src/errors.ts' && !path.endsWith('.test.ts'))
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const page = readFileSync('docs/errors.md', 'utf8');
    for (const code of Object.keys(ERRORS)) {
      expect(source, `${code} is in the table but nothing uses it`).toContain(code);
      expect(page).toContain(`\`${code}\``);
    }
    const documented = [...page.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code);
    expect(documented).toEqual(Object.keys(ERRORS));
  });
});

describe('errors', () => {
  it('show what to type by an example, never by a word in capitals', () => {
    for (const path of globSync('src/**/*.ts').filter((one) => !one.endsWith('.test.ts')))
      for (const [thrown] of readFileSync(path, 'utf8').matchAll(/new AssayError\([\s\S]*?\);/g))
        expect(thrown, path).not.toMatch(/\b(?:FILE|FOLDER|DIR|PATH|NAME|REPORT)\b(?!\))/);
    for (const { remedy } of Object.values(ERRORS))
      expect(remedy).not.toMatch(/\b(?:FILE|FOLDER|PATH|NAME)\b/);
  });
});

describe('hand-written pages', () => {
  it('link only to files that exist', () => {
    const broken = written.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .filter(([, to]) => !existsSync(join(dirname(path), to ?? '')))
        .map(([, to]) => `${path}: ${to}`),
    );
    expect(broken).toEqual([]);
  });

  it('name only commands and scripts that exist', () => {
    const names = COMMANDS.map((command) => command.name);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const path of written) {
      const text = readFileSync(path, 'utf8');
      for (const [, words = ''] of text.matchAll(/^ {4}assay ([a-z][^\n#]*)/gm)) {
        expect(
          names.some((name) => `${words} `.startsWith(`${name} `)),
          `${path}: assay ${words}`,
        ).toBe(true);
      }
      for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g))
        expect(Object.keys(scripts), path).toContain(script);
    }
  });
});

describe('the pictures (npm run pictures)', () => {
  const shownIn = (name: string) =>
    written.filter((path) => readFileSync(path, 'utf8').includes(`pictures/${name}.png)`));

  it('are all made by the script', () => {
    const made = Object.keys(PICTURES).map((name) => `docs/pictures/${name}.png`);
    expect(globSync('docs/pictures/*.png').toSorted()).toEqual(made.toSorted());
  });

  it.each(Object.entries(PICTURES))('%s stands on a page with its command, and is small', (name, words) => {
    const command = `    assay ${words.join(' ')}${words[0] === 'serve' ? '' : ' --open'}\n`;
    expect(shownIn(name).some((path) => readFileSync(path, 'utf8').includes(command))).toBe(true);
    expect(statSync(`docs/pictures/${name}.png`).size).toBeLessThan(180_000);
  });
});

describe('the changelog', () => {
  it('has an entry for the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`## ${version}`);
  });
});

describe('each dependency', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  ) as Record<string, Record<string, string>>;
  const page = readFileSync('docs/contributing/decisions/dependencies.md', 'utf8');
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  it('has a row in docs/contributing/decisions/dependencies.md', () => {
    const isNamed = (name: string) =>
      page.includes(`\`${name}\``) || page.includes(`\`${name.split('/')[0]}/*\``);
    expect(names.filter((name) => !name.startsWith('@types/') && !isNamed(name))).toEqual([]);
  });
});
