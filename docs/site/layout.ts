/** One page of the site around its text. Nothing in it is a script or a style of its own: any policy of a server may forbid those. */
import { escapeHtml } from '../../src/report/page/table-markup.ts';
import { relativeAddress } from './addresses.ts';
import type { Heading } from './markdown.ts';

export type SitePage = {
  readonly address: string;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  /** The first words, for those who list pages. */
  readonly about: string;
};

export type SiteGroup = { readonly title: string; readonly pages: readonly SitePage[] };

const MOST_ABOUT = 160;

export function layOut(page: SitePage, groups: readonly SiteGroup[]): string {
  const to = (address: string) => escapeHtml(relativeAddress(page.address, address));
  const about = page.about.slice(0, MOST_ABOUT);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title === 'Assay' ? 'Assay' : `${page.title} · Assay`)}</title>
<meta name="description" content="${escapeHtml(about)}">
<link rel="stylesheet" href="${to('site.css')}">
<link rel="icon" href="${to('icon.svg')}" type="image/svg+xml">
<script src="${to('site.js')}"></script>
</head>
<body>
<a class="skip" href="#main">To the text</a>
<div class="site">
<header class="rail">
<div class="top">
<a class="brand" href="${to('index.html')}">Assay</a>
<button class="quiet" type="button" data-search hidden>Search <kbd>/</kbd></button>
<label class="quiet" data-theme-choice hidden>Theme
<select><option value="system">system</option><option value="light">light</option><option value="dark">dark</option></select></label>
<button class="quiet menu" type="button" data-menu aria-expanded="false" aria-controls="pages" hidden>Pages</button>
</div>
<nav id="pages" aria-label="Pages">
${groups.map((group) => navigationOf(group, page, to)).join('\n')}
</nav>
</header>
<main id="main" tabindex="-1">
<article>
${page.html}</article>
${besides(page, groups, to)}
</main>
</div>
</body>
</html>
`;
}

type To = (address: string) => string;

function navigationOf({ title, pages }: SiteGroup, shown: SitePage, to: To): string {
  const items = pages.map((page) => {
    const isShown = page.address === shown.address;
    const here = isShown ? ' aria-current="page"' : '';
    return `<li><a href="${to(page.address)}"${here}>${escapeHtml(page.title)}</a>${isShown ? partsOf(page) : ''}</li>`;
  });
  const open = pages.some(({ address }) => address === shown.address) ? ' open' : '';
  return `<details${open}><summary>${escapeHtml(title)}</summary><ul>${items.join('\n')}</ul></details>`;
}

function partsOf({ headings }: SitePage): string {
  const parts = headings.filter(({ depth }) => depth === 2);
  if (parts.length < 2) return '';
  const items = parts.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<ul class="parts">${items.join('\n')}</ul>`;
}

/** The pages before and after it, in the order of the navigation. */
function besides(page: SitePage, groups: readonly SiteGroup[], to: To): string {
  const all = groups.flatMap(({ pages }) => pages);
  const at = all.findIndex(({ address }) => address === page.address);
  if (at < 0) return '';
  const link = (one: SitePage | undefined, word: string) =>
    one === undefined
      ? '<span></span>'
      : `<a href="${to(one.address)}"><span class="faint">${word}</span> ${escapeHtml(one.title)}</a>`;
  return `<nav class="besides" aria-label="Before and after">${link(all[at - 1], 'Before')}${link(all[at + 1], 'Next')}</nav>`;
}
