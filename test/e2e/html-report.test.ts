/** The HTML report in a real browser: quiet, readable on a phone, readable in the dark. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/report/html.ts';
import { VERDICT } from '../../src/report/testing/fixture.ts';
import { CHARTS } from '../../src/report/testing/fixture-charts.ts';
import { verdictView } from '../../src/report/verdict-view.ts';
import type { View } from '../../src/report/view.ts';
import { runCommand } from '../../src/testing/run-command.ts';
import { type Launched, launchBrowser } from '../browser.ts';
import { axeFaults, PICTURES } from '../page-checks.ts';

const LONG: View = {
  title: 'A long table',
  answer: 'Forty rows, of which ten are shown.',
  blocks: [
    {
      kind: 'table',
      title: 'Cases',
      limit: 10,
      columns: [
        { key: 'id', title: 'case', unit: 'name' },
        { key: 'q', title: 'Q', unit: 'score', drawn: true },
        { key: 'why', title: 'why', unit: 'text' },
      ],
      rows: Array.from({ length: 40 }, (_, index) => ({
        id: `case-${index}`,
        // Neither in the order of rows nor in that of letters; one is not measured.
        q: index === 3 ? undefined : ((index * 7) % 40) / 40,
        why: index % 2 === 0 ? 'even words that are long enough for a sentence' : 'odd',
      })),
    },
  ],
  notes: [],
  next: [],
};

const DOCUMENTS: Readonly<Record<string, View>> = {
  report: verdictView(VERDICT),
  blocked: {
    ...verdictView({ ...VERDICT, gate: { ...VERDICT.gate, verdict: 'blocked' } }),
    qualifier: 'by your standard without Provenance coverage, 2 cases failed',
  },
  long: LONG,
  charts: {
    title: 'Charts of every kind',
    answer: 'All of them, one after the other.',
    blocks: CHARTS.map((chart) => ({ kind: 'chart', chart })),
    notes: [],
    next: [],
  },
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-report-'));
let launched: Launched = { browser: undefined, reason: 'not started' };

/** What people get from the bundled example of an instrument. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  decomposition: ['example', '--format', 'html'],
  workflow: ['workflow', 'report', 'examples/workflow', '--format', 'html'],
  sessions: ['sessions', 'score', 'examples/session', '--no-store', '--no-git', '--format', 'html'],
};

const PAGES = [...Object.keys(DOCUMENTS), ...Object.keys(COMMANDS)];

beforeAll(async () => {
  for (const [name, document] of Object.entries(DOCUMENTS))
    writeFileSync(join(folder, `${name}.html`), renderHtml(document));
  for (const [name, command] of Object.entries(COMMANDS))
    writeFileSync(
      join(folder, `${name}.html`),
      (await runCommand(command, { cwd: ROOT, env: { ...process.env, HOME: folder } })).stdout,
    );
  launched = await launchBrowser();
  if (launched.browser === undefined) process.stderr.write(`HTML report not looked at: ${launched.reason}\n`);
});

beforeEach((context) => {
  if (launched.browser === undefined) context.skip(launched.reason);
});

afterAll(async () => {
  await launched.browser?.close();
  rmSync(folder, { recursive: true });
});

type Looked = { readonly page: Page; readonly complaints: string[] };

const addressOf = (name: string) => pathToFileURL(join(folder, `${name}.html`)).href;

async function open(name: string): Promise<Looked> {
  if (launched.browser === undefined) throw new Error(launched.reason);
  const page = await launched.browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (fault) => complaints.push(`error: ${fault.message}`));
  page.on('request', (request) => {
    if (request.url() !== addressOf(name)) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(addressOf(name));
  return { page, complaints };
}

const unfold = (page: Page, isOpen: boolean) =>
  page.evaluate(`for (const item of document.querySelectorAll('details')) item.open = ${isOpen}`);

const size = (page: Page, width: number) => page.setViewportSize({ width, height: 900 });

describe.each(PAGES)('%s', (name) => {
  let looked: Looked;
  beforeAll(async () => {
    if (launched.browser === undefined) return;
    looked = await open(name);
    await unfold(looked.page, true);
  });
  afterAll(() => looked?.page.close());

  test('nothing is fetched, nothing complains and nothing scrolls sideways, wide or narrow or on paper', async () => {
    const { page, complaints } = looked;
    for (const width of [360, 768, 1280]) {
      await size(page, width);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    // The width of A4 between the margins of a browser.
    await size(page, 718);
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(718);
    await page.emulateMedia({ media: null });
    expect(complaints).toEqual([]);
  });

  test('every table has a caption, every picture a name, and headings go down one step at a time', async () => {
    const { page } = looked;
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('table')].filter((item) => !item.caption?.textContent).length`,
      ),
    ).toBe(0);
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('svg')].filter((item) => !item.getAttribute('aria-label')).length`,
      ),
    ).toBe(0);
    expect(await page.evaluate(`document.querySelectorAll('h1').length`)).toBe(1);
    expect(await page.evaluate(`document.querySelectorAll('h3, h4, h5, h6').length`)).toBe(0);
    expect(await page.evaluate(`document.querySelectorAll('header, main, footer').length`)).toBe(3);
  });

  test.each(['light', 'dark'] as const)(
    'all text has a contrast of 4.5 or more and axe finds nothing to complain about in %s',
    async (colorScheme) => {
      const { page } = looked;
      await size(page, 1280);
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(LOW_CONTRAST)).toEqual([]);
      expect(await axeFaults(page)).toEqual([]);
    },
  );

  test('no word of a table is broken, and labels of a chart neither run into each other nor out of the picture', async () => {
    const { page } = looked;
    await size(page, 360);
    expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
    expect(await page.evaluate(CLASHES)).toEqual([]);
    await size(page, 1280);
    expect(await page.evaluate(CLASHES)).toEqual([]);
  });

  const pictures = PICTURES;
  if (pictures === undefined) return;
});

describe('a figure', () => {
  test.each(Object.keys(COMMANDS))(
    'of the %s report leads to what it is made of, also in a fold',
    async (name) => {
      if (launched.browser === undefined) throw new Error(launched.reason);
      const page = await launched.browser.newPage({ viewport: { width: 1280, height: 900 } });
      await page.goto(addressOf(name));
      const links = await page.locator('.tile a').all();
      expect(links.length).toBeGreaterThan(1);
      for (const link of links) {
        await link.click();
        expect(await page.locator(':target table').first().isVisible()).toBe(true);
      }
      await page.close();
    },
  );
});

describe('a long table', () => {
  const shown = (page: Page): Promise<string[]> =>
    page.evaluate(
      `[...document.querySelectorAll('tbody tr')].filter((row) => row.getClientRects().length > 0).map((row) => row.cells[0].textContent)`,
    );

  test('is cut, opens, and closes again', async () => {
    const { page } = await open('long');
    expect(await shown(page)).toHaveLength(10);
    await page.getByRole('button', { name: 'Show all 40: Cases' }).click();
    expect(await shown(page)).toHaveLength(40);
    await page.getByRole('button', { name: 'Show fewer: Cases' }).click();
    expect(await shown(page)).toHaveLength(10);
    await page.close();
  });

  test('is sorted by value with the keyboard, what is unmeasured last, and then as it came', async () => {
    const { page } = await open('long');
    const before = await shown(page);
    const head = page.getByRole('button', { name: 'Q', exact: true });
    await head.focus();
    await page.keyboard.press('Enter');
    expect(await page.getByRole('columnheader', { name: 'Q' }).getAttribute('aria-sort')).toBe('descending');
    // (index × 7) mod 40 is 39 for 17, 38 for 34, 37 for 11.
    expect((await shown(page)).slice(0, 3)).toEqual(['case-17', 'case-34', 'case-11']);
    await page.keyboard.press('Enter');
    expect((await shown(page)).slice(0, 3)).toEqual(['case-0', 'case-23', 'case-6']);
    await page.getByRole('button', { name: 'Show all 40: Cases' }).click();
    expect((await shown(page)).at(-1)).toBe('case-3');
    await head.click();
    expect((await shown(page)).slice(0, 10)).toEqual(before);
    await page.close();
  });

  test('is filtered by words of any column, beyond what is shown', async () => {
    const { page } = await open('long');
    await page.getByRole('searchbox', { name: 'Filter: Cases' }).fill('case-3 EVEN');
    expect(await shown(page)).toEqual(['case-30', 'case-32', 'case-34', 'case-36', 'case-38']);
    await page.getByRole('searchbox').fill('nobody');
    expect(await shown(page)).toEqual([]);
    expect(await page.getByText('No row holds these words.').isVisible()).toBe(true);
    await page.close();
  });

  test('keeps its head in sight while it scrolls', async () => {
    const { page } = await open('long');
    await page.getByRole('button', { name: 'Show all 40: Cases' }).click();
    const stays = await page.evaluate(`(() => {
      const box = document.querySelector('.scroll');
      box.scrollTop = box.scrollHeight;
      const [top, head] = [box, box.querySelector('thead th')].map((item) => item.getBoundingClientRect().top);
      return { scrolled: box.scrollTop > 0, apart: Math.abs(head - top) };
    })()`);
    expect(stays).toEqual({ scrolled: true, apart: 0 });
    await page.close();
  });

  test('shows every row where scripts are off', async () => {
    if (launched.browser === undefined) throw new Error(launched.reason);
    const page = await launched.browser.newPage({ javaScriptEnabled: false });
    await page.goto(addressOf('long'));
    expect(await page.locator('tbody tr:visible').count()).toBe(40);
    await page.close();
  });
});

/** Runs in the page: words in cells that are cut over two lines. */
const BROKEN_WORDS = `(() => {
  const found = [];
  const range = document.createRange();
  for (const table of document.querySelectorAll('table')) {
    const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) for (const { 0: word, index } of walker.currentNode.data.matchAll(/[A-Za-z0-9]+/g)) {
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) found.push(word);
    }
  }
  return found;
})()`;

/** Runs in the page: texts whose colour is too close to what is painted behind them (WCAG 2.2, 1.4.3). */
const LOW_CONTRAST = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const parse = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data; return { rgb: [r, g, b], a: a / 255 }; };
  const over = (top, alpha, under) => top.map((part, i) => part * alpha + under[i] * (1 - alpha));
  const luminance = (rgb) => rgb.map((part) => { const c = part / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }).reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => { const chain = []; for (let e = element; e; e = e.parentElement) chain.unshift(e); return chain.reduce((rgb, e) => { const { rgb: top, a } = parse(getComputedStyle(e).backgroundColor); return over(top, a, rgb); }, [255, 255, 255]); };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || element.closest('title, style')) continue;
    if (element.getClientRects().length === 0) continue;
    const style = getComputedStyle(element);
    const svg = element instanceof SVGElement;
    const heat = svg && element.closest('svg').querySelector('rect[fill="var(--heat)"]') ? 0.5 : 0;
    const paper = over(parse(getComputedStyle(document.documentElement).getPropertyValue('--heat')).rgb, heat, behind(element));
    const ink = parse(svg ? style.fill : style.color);
    const [high, low] = [luminance(over(ink.rgb, ink.a, paper)), luminance(paper)].sort((a, b) => b - a);
    const cellText = heat > 0 && style.fontSize !== '11px';
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5 && !cellText) found.push(walker.currentNode.textContent.trim() + ': ' + ratio.toFixed(2));
  }
  return found;
})()`;

/** Runs in the page: pairs of texts that overlap, and texts that leave the window. */
const CLASHES = `(() => {
  const found = [];
  for (const svg of document.querySelectorAll('svg')) {
    const texts = [...svg.querySelectorAll('text')].filter((item) => item.textContent.trim() && item.getClientRects().length > 0);
    // The box of a slanted text is much larger than its letters.
    const boxes = texts.filter((item) => !/rotate/.test(item.getAttribute('transform') ?? '')).map((item) => ({ words: item.textContent, box: item.getBoundingClientRect() }));
    for (const { words, box } of boxes) if (box.left < -0.5 || box.right > innerWidth + 0.5) found.push(words + ' leaves the window');
    for (const [i, a] of boxes.entries()) for (const b of boxes.slice(i + 1)) {
      const [w, h] = [Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left), Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top)];
      if (w > 1 && h > 3) found.push(a.words + ' / ' + b.words);
    }
  }
  return found;
})()`;
