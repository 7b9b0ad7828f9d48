/** What every page of the dashboard is looked at for, in a real browser. */
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';

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
  const page = await context.newPage();
  const complaints: string[] = [];
  const scripts = new Map<string, number>();
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (fault) => complaints.push(`error: ${fault.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { origin: asked, protocol } = new URL(request.url());
    if (asked !== origin && protocol !== 'blob:') complaints.push(`request: ${request.url()}`);
  });
  page.on('response', async (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
    if (response.url().endsWith('.js'))
      scripts.set(response.url(), Number((await response.allHeaders())['content-length'] ?? 0));
  });
  return { page, complaints, scripts };
}

/** Opens an address and waits until nothing on the page says that it is still loading. */
export async function show(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await settled(page);
}

export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  // One look could fall between two requests.
  for (let quiet = 0; quiet < 2; ) {
    await page.waitForTimeout(40);
    quiet = (await page.locator('.loading').count()) === 0 ? quiet + 1 : 0;
  }
}

/** The policy of the page forbids what Playwright would evaluate in it again and again. */
export async function until(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await page.waitForTimeout(40);
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What the accessibility checker says, as rule and place. */
export async function axeFaults(page: Page): Promise<string[]> {
  return page.evaluate(
    `${axe.source}; axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
  );
}

export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}
