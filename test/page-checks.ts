/** What every page of the dashboard is looked at for, in a real browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page, Request } from 'playwright-core';
import { keyOf } from '../src/testing/server-keys.ts';

export type Opened = {
  readonly page: Page;
  /** Words on the console, errors, requests beyond the server, answers that failed. */
  readonly complaints: string[];
  readonly scripts: Map<string, number>;
};

export async function openPage(browser: Browser, origin: string): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  // As if the address that `assay serve` prints had been opened before.
  const key = keyOf(origin);
  if (key !== undefined)
    await context.addInitScript((value) => localStorage.setItem('assay-key', value), key);
  const page = await context.newPage();
  const complaints: string[] = [];
  const scripts = new Map<string, number>();
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (fault) => complaints.push(`error: ${fault.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  follow(page);
  page.on('request', (request) => {
    const { origin: asked, protocol } = new URL(request.url());
    if (asked !== origin && protocol !== 'blob:') complaints.push(`request: ${request.url()}`);
  });
  page.on('response', async (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
    if (!response.url().endsWith('.js')) return;
    // A page may be closed before all its responses have arrived.
    const length = await response.headerValue('content-length').catch(() => null);
    scripts.set(response.url(), Number(length ?? 0));
  });
  return { page, complaints, scripts };
}

/** Opens an address and waits until nothing on the page says that it is still loading. */
export async function show(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await settled(page);
}

/** Open requests of each page; the event stream never ends, so it is not counted. */
const underWay = new WeakMap<Page, Set<Request>>();

function follow(page: Page): void {
  const asked = new Set<Request>();
  underWay.set(page, asked);
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/v1/events')) asked.add(request);
  });
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
}

export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const isQuiet = async () =>
    (underWay.get(page)?.size ?? 0) === 0 && (await page.locator('.loading').count()) === 0;
  // What came may ask for more.
  for (let quiet = 0; quiet < 2; quiet = (await isQuiet()) ? quiet + 1 : 0) await page.waitForTimeout(25);
}

/** Fields of the tables a page exports that a spreadsheet would run. */
export async function formulasIn(page: Page): Promise<string[]> {
  const found: string[] = [];
  let handed = 0;
  for (const one of await page.locator('main [aria-label^="CSV: "]').all()) {
    // A browser lets a page save ten files without a click.
    if (handed > 0 && handed % 8 === 0) {
      await page.reload();
      await settled(page);
    }
    handed += 1;
    const [file] = await Promise.all([page.waitForEvent('download'), one.dispatchEvent('click')]);
    const text = readFileSync(await file.path(), 'utf8');
    found.push(...(text.replaceAll('\r\n', '\n').match(/(?<=^|,)"?(?:[=+@\t\r]|-(?![\d.]))[^,\n]*/gm) ?? []));
  }
  return found;
}

/** The policy of the page forbids what Playwright would evaluate in it again and again. */
export async function until(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await page.waitForTimeout(40);
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What a page in other colours can do wrong that it did not do before. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** What the accessibility checker says, as rule and place. */
export async function axeFaults(page: Page, of: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
  const runOnly = of === 'colours' ? { type: 'rule', values: RULES_OF_COLOUR } : RULES;
  const options = { runOnly, resultTypes: ['violations'], elementRef: false, preload: false };
  return page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
  );
}

export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}

/** The folder of screenshots, on request: a full-page screenshot takes as long as the checks. */
export const PICTURES = process.env.ASSAY_PICTURES;

const LOOKS = [
  { width: 1280, colorScheme: 'light', of: 'everything' },
  { width: 1280, colorScheme: 'dark', of: 'colours' },
  { width: 360, colorScheme: 'dark', of: 'everything' },
  { width: 360, colorScheme: 'light', of: 'colours' },
] as const;

/** Checks a page on a desktop and a phone, in light and dark, and returns its faults. */
export async function lookAt(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, colorScheme, of } of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await settled(page);
    const found = await axeFaults(page, of);
    if ((await sidewaysScroll(page)) > 0) found.push('it scrolls sideways');
    faults.push(...found.map((fault) => `${width} ${colorScheme}: ${fault}`));
    await keepPicture(page, `dashboard-${name}-${width}-${colorScheme}`);
  }
  return faults;
}

async function keepPicture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}
