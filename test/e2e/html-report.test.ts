/** The HTML report in a real browser: quiet, readable on a phone, readable in the dark. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Document } from '../../src/report/document.ts';
import { renderHtml } from '../../src/report/html.ts';
import { VERDICT } from '../../src/report/testing/fixture.ts';
import { CHARTS } from '../../src/report/testing/fixture-charts.ts';
import { verdictDocument } from '../../src/report/verdict-document.ts';
import { type Launched, launchBrowser } from '../browser.ts';

const DOCUMENTS: Readonly<Record<string, Document>> = {
  report: verdictDocument(VERDICT),
  charts: {
    title: 'Charts of every kind',
    answer: 'All of them, one after the other.',
    blocks: CHARTS.map((chart) => ({ kind: 'chart', chart })),
    notes: [],
    next: [],
  },
};

const folder = mkdtempSync(join(tmpdir(), 'assay-report-'));
let launched: Launched = { browser: undefined, reason: 'not started' };

beforeAll(async () => {
  for (const [name, document] of Object.entries(DOCUMENTS))
    writeFileSync(join(folder, `${name}.html`), renderHtml(document));
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

async function open(
  name: string,
  width: number,
  colorScheme: 'light' | 'dark',
): Promise<{ page: Page; complaints: string[] }> {
  if (launched.browser === undefined) throw new Error(launched.reason);
  const page = await launched.browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const complaints: string[] = [];
  const address = pathToFileURL(join(folder, `${name}.html`)).href;
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (fault) => complaints.push(`error: ${fault.message}`));
  page.on('request', (request) => {
    if (request.url() !== address) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  await page.evaluate(`for (const item of document.querySelectorAll('details')) item.open = true`);
  return { page, complaints };
}

describe.each(Object.keys(DOCUMENTS))('%s', (name) => {
  test.each([360, 768, 1280])(
    'at %i pixels nothing is fetched, nothing complains and nothing scrolls sideways',
    async (width) => {
      const { page, complaints } = await open(name, width, 'light');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test('every table has a caption, every picture a name, and headings go down one step at a time', async () => {
    const { page } = await open(name, 1280, 'light');
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
    await page.close();
  });

  test.each(['light', 'dark'] as const)('all text has a contrast of 4.5 or more in %s', async (scheme) => {
    const { page } = await open(name, 1280, scheme);
    expect(await page.evaluate(LOW_CONTRAST)).toEqual([]);
    await page.close();
  });

  test.each([360, 1280])(
    'labels of a chart do not run into each other or out of the picture at %i pixels',
    async (width) => {
      const { page } = await open(name, width, 'light');
      expect(await page.evaluate(CLASHES)).toEqual([]);
      await page.close();
    },
  );
});

/** ASSAY_PICTURES names a folder for those who want to look at them. */
test('pictures to look at', async () => {
  const kept = process.env.ASSAY_PICTURES;
  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
  ] as const) {
    const { page } = await open('report', width, scheme);
    await page.evaluate(`for (const item of document.querySelectorAll('details')) item.open = false`);
    const name = width === 360 ? 'report-phone.png' : `report-${scheme}.png`;
    const place = kept === undefined ? {} : { path: join(kept, name) };
    const picture = await page.screenshot({ ...place, fullPage: true });
    expect(picture.length).toBeGreaterThan(10_000);
    await page.close();
  }
});

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
