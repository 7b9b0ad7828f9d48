/** The built documentation: every link leads somewhere, nothing needs a network, and questions find their page. */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSite, type Site } from '../docs/site/build.ts';
import { commandsOf } from '../docs/site/client/commands-of.ts';
import { renderMarkdown } from '../docs/site/markdown.ts';
import { arrange, GROUPS } from '../docs/site/navigation.ts';
import { findPages, indexOf } from '../docs/site/search.ts';

let folder: string;
let site: Site;
const html = new Map<string, string>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-docs-site-'));
  site = await buildSite(join(folder, 'site'));
  for (const path of globSync(join(folder, 'site/**/*.html'))) html.set(path, readFileSync(path, 'utf8'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Attributes that make a browser go or load. */
function addressesIn(text: string): string[] {
  return [...text.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address);
}

const idsIn = (text: string) => new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));

describe('the site', () => {
  it('has a page for everything that is written', () => {
    const written = globSync([
      'docs/**/*.md',
      'README.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'bench/README.md',
    ]);
    expect(site.pages.map(({ path }) => path).toSorted()).toEqual(written.toSorted());
    const offered = site.groups.flatMap(({ pages }) => pages.map(({ address }) => address));
    expect(offered.toSorted()).toEqual(site.pages.map(({ address }) => address).toSorted());
  });

  it('links only to files and places in them that are there', () => {
    const ids = new Map([...html].map(([path, text]) => [path, idsIn(text)]));
    const broken: string[] = [];
    let looked = 0;
    for (const [path, text] of html)
      for (const address of new Set(addressesIn(text))) {
        if (/^(?:https?|mailto):/.test(address)) continue;
        looked++;
        const [to = '', anchor] = address.split('#');
        const file = to === '' ? path : join(dirname(path), decodeURI(to));
        const isThere = existsSync(file) && (anchor === undefined || ids.get(file)?.has(anchor) !== false);
        if (!isThere) broken.push(`${relative(folder, path)} → ${address}`);
      }
    expect(looked).toBeGreaterThan(1000);
    expect(broken).toEqual([]);
  });

  it('loads nothing from elsewhere, and has no script, style or handler inside a page', () => {
    for (const [path, text] of html) {
      for (const [, name = '', attributes = ''] of text.matchAll(
        /<(script|link|img|iframe|object)\b([^>]*)>/g,
      ))
        expect(attributes, `${path} ${name}`).not.toMatch(/(?:src|href)="(?:[a-z]+:|\/)/);
      expect(text, path).not.toMatch(/<script(?![^>]*\ssrc=)|<style\b|\sstyle="|<[^>]*\son\w+="/);
    }
  });

  it('has one title in each page, and titles that differ', () => {
    const titles = [...html.values()].map((text) => /<title>([^<]*)<\/title>/.exec(text)?.[1] ?? '');
    for (const [path, text] of html) expect(text.match(/<h1\b/g), path).toHaveLength(1);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });
});

describe('a page', () => {
  const render = (markdown: string) => renderMarkdown(markdown, (href) => `to:${href}`);

  it('shows markup in its text as text', () => {
    const { html: shown } = render(
      '# A\n\n<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> & <br>\n',
    );
    expect(shown).not.toMatch(/<script|<img/);
    expect(shown).toContain('&lt;script&gt;');
    expect(shown).toContain('<br>');
  });

  it('escapes code, names of links and words of pictures', () => {
    const { html: shown } = render(
      '# A\n\n`<b>`\n\n[<i>](x.md "y")\n\n![a"b](p.png)\n\n```sh\n<u>\n&\n```\n',
    );
    expect(shown).not.toMatch(/<[biu]>/);
    expect(shown).toContain('alt="a&quot;b"');
    expect(shown).toContain('&lt;u&gt;\n&amp;');
  });

  it('leads nowhere by a scheme that runs something', () => {
    expect(render('# A\n\n[x](javascript:alert(1))\n').html).toContain('href="to:javascript:alert(1)"');
    const [page] = site.pages;
    expect(page?.html).not.toContain('javascript:');
  });

  it('gives headings the anchors that the forges give them', () => {
    const { headings } = render('# `a_b`: what?\n\n## Same\n\n## Same\n');
    expect(headings.map(({ id }) => id)).toEqual(['a_b-what', 'same', 'same-1']);
  });
});

describe('the navigation', () => {
  it('refuses a page that no group has, and a name that no page has', () => {
    const titled = (path: string) => ({ path, title: path });
    const named = GROUPS.flatMap(({ pages }) => pages).map(titled);
    expect(() => arrange([...named, titled('lost.md')])).toThrow('lost.md');
    expect(() => arrange(named.slice(1))).toThrow('README.md');
    expect(arrange([...named, titled('docs/new.md')]).at(-1)?.title).toBe('More');
  });
});

describe('copying a block', () => {
  it('takes what is typed, and leaves what is printed', () => {
    const block = "$ assay runs\nrun 1\n$ cat > a <<'END'\n{}\nEND\n$ ls\na";
    expect(commandsOf(block)).toBe("assay runs\ncat > a <<'END'\n{}\nEND\nls");
    expect(commandsOf('{ "a": 1 }\n')).toBe('{ "a": 1 }\n');
  });
});

/** What somebody asks, and the page that should be among the first three. */
const QUESTIONS: readonly (readonly [question: string, page: string])[] = [
  ['how far can I trust Q', 'docs/session-trust.html'],
  ['which agents are supported', 'docs/formats/index.html'],
  ['block a pull request when quality drops', 'docs/ci.html'],
  ['github action', 'docs/ci.html'],
  ['use promptfoo results', 'docs/own-outputs.html'],
  ['migrate from ccusage', 'docs/coming-from.html'],
  ['what does finding consistency mean', 'docs/metrics/workflow/finding-consistency.html'],
  ['install a hook in Claude Code', 'docs/live.html'],
  ['send opentelemetry traces', 'docs/live.html'],
  ['write a ground truth', 'docs/formats/workflow-ground-truth.html'],
  ['golden case format', 'docs/formats/golden-case.html'],
  ['slack or email alerts', 'docs/alerts.html'],
  ['deploy on kubernetes', 'docs/deployment.html'],
  ['back up the database', 'docs/deployment.html'],
  ['retention delete old sessions', 'docs/store.html'],
  ['status line', 'docs/live.html'],
  ['tokens and cost compared with ccusage', 'docs/contributing/token-totals.html'],
  ['how many golden cases do I need', 'docs/decomposition.html'],
  ['export to parquet for duckdb', 'docs/export.html'],
  ['sql queries', 'docs/sql.html'],
  ['exit code 2', 'docs/ci.html'],
  ['cheapest model for coding tasks', 'docs/routing.html'],
  ['can a planted repository run code', 'docs/security.html'],
  ['blind protocol', 'docs/workflow-blind.html'],
  ['a/b test two prompts in production', 'docs/production-experiments.html'],
  ['mcp server', 'docs/mcp.html'],
  ['STORE_NEWER', 'docs/errors.html'],
  ['assay sessions frontier', 'docs/commands.html'],
  ['calibrate weights with my own ratings', 'docs/session-calibration.html'],
  ['precsion', 'docs/metrics/workflow/precision.html'],
];

describe('the search', () => {
  it.each(QUESTIONS)('leads from "%s" to %s', (question, page) => {
    const found = findPages(index(), question).slice(0, 3);
    expect(found.map(({ address }) => address)).toContain(page);
  });

  it('finds nothing where nothing is asked', () => {
    expect(findPages(index(), 'the of and')).toEqual([]);
    expect(findPages(index(), 'xqzzyv')).toEqual([]);
  });

  let made: ReturnType<typeof indexOf> | undefined;
  function index() {
    made ??= indexOf(site.entries);
    return made;
  }
});
