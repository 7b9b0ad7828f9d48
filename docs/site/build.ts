/**
 * Builds the documentation as a folder of static files that any server serves and a browser opens from a disk, with a
 * search that needs no server: `npm run docs:site`, or `npm run docs:site -- FOLDER` for another folder than `site`.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { noticesOf } from '../../build/notices.ts';
import { TOKENS } from '../../src/report/page/tokens.ts';
import { addressOf, isCopied, relativeAddress } from './addresses.ts';
import { layOut, type SiteGroup, type SitePage } from './layout.ts';
import { codeBlock, type Rendered, renderMarkdown } from './markdown.ts';
import { arrange } from './navigation.ts';
import { type Entry, indexOf } from './search.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLIENT = join(import.meta.dirname, 'client');
const INDEX_ID = 'virtual:index';

type Page = SitePage & Rendered & { readonly path: string };

export type Site = {
  readonly pages: readonly Page[];
  readonly groups: readonly SiteGroup[];
  readonly entries: readonly Entry[];
};

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Everything that people read, and every file that a page leads to. */
export function readSite(): Site & { readonly files: ReadonlySet<string> } {
  const paths = globSync(
    ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'bench/README.md', 'docs/**/*.md'],
    {
      cwd: ROOT,
    },
  ).toSorted();
  const files = new Set<string>();
  const pages = paths.map((path) => pageOf(path, files));
  const groups = arrange(pages);
  return { pages, groups, entries: entriesOf(groups), files };
}

function pageOf(path: string, files: Set<string>): Page {
  const address = addressOf(path);
  const rendered = renderMarkdown(read(path), (href) => {
    const [to = '', anchor] = href.split('#');
    const hash = anchor === undefined ? '' : `#${anchor}`;
    if (to === '') return hash;
    const file = fileOf(posix.join(posix.dirname(path), decodeURI(to)), path);
    files.add(file);
    return `${relativeAddress(address, addressOf(file))}${hash}`;
  });
  if (rendered.title === '') throw new Error(`${path} has no title`);
  return { ...rendered, path, address, about: rendered.sections[0]?.text ?? '' };
}

function fileOf(path: string, from: string): string {
  const whole = join(ROOT, path);
  if (path.startsWith('..') || !existsSync(whole))
    throw new Error(`${from} leads to ${path}, which is not there`);
  return statSync(whole).isDirectory() ? posix.join(path, 'README.md') : path;
}

function entriesOf(groups: readonly { title: string; pages: readonly Page[] }[]): Entry[] {
  return groups
    .flatMap(({ title: group, pages }) =>
      pages.flatMap(({ address, title, sections }) =>
        sections.map(({ id: anchor, heading, text }) => ({ address, anchor, title, heading, group, text })),
      ),
    )
    .map((entry, id) => ({ id, ...entry }));
}

export async function buildSite(folder: string): Promise<Site> {
  const site = readSite();
  rmSync(folder, { recursive: true, force: true });
  const write = (address: string, data: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, address)), { recursive: true });
    writeFileSync(join(folder, address), data);
  };
  const isPage = new Set(site.pages.map(({ path }) => path));
  for (const page of site.pages) write(page.address, layOut(page, site.groups));
  for (const path of site.files)
    if (isCopied(path)) write(path, readFileSync(join(ROOT, path)));
    else if (!isPage.has(path)) write(addressOf(path), layOut(sourcePage(path), site.groups));
  const styles = ['web/src/style/base.css', 'docs/site/site.css'].map(read);
  write('site.css', [TOKENS, ...styles].join('\n'));
  write('icon.svg', read('web/public/icon.svg'));
  const scripts = await bundle(JSON.stringify(indexOf(site.entries)));
  for (const [name, code] of scripts) write(name, code);
  return site;
}

/** Program text that a page names as evidence, to be read where the page is. */
function sourcePage(path: string): SitePage {
  const html = `<h1 id="top">${path.replaceAll('/', '/<wbr>')}</h1>\n${codeBlock(read(path))}`;
  return { address: addressOf(path), title: path, html, headings: [], about: path };
}

/** Plain scripts: a browser loads no modules from a disk. */
async function bundle(index: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const ids: string[] = [];
  for (const name of ['site', 'search']) {
    const build = await rolldown({
      input: join(CLIENT, `${name}.ts`),
      cwd: ROOT,
      platform: 'browser',
      plugins: [
        {
          name: 'index',
          resolveId: (id) => (id === INDEX_ID ? `\0${INDEX_ID}` : undefined),
          load: (id) =>
            id === `\0${INDEX_ID}` ? `export const index = ${JSON.stringify(index)};` : undefined,
        },
      ],
    });
    const { output } = await build.generate({ format: 'iife', minify: true });
    await build.close();
    for (const { code, moduleIds } of output.filter((file) => file.type === 'chunk')) {
      files.set(`${name}.js`, code);
      ids.push(...moduleIds);
    }
  }
  return files.set('LICENSES.md', noticesOf(ids));
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? 'site');
  const { pages, entries } = await buildSite(folder);
  console.log(`${pages.length} pages, ${entries.length} parts to search in: ${join(folder, 'index.html')}`);
}
