/** The built documentation in a real browser: read, searched by keys, copied from, on a telephone and from a disk. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSite } from '../../docs/site/build.ts';
import { launchBrowser } from '../browser.ts';
import { axeFaults, openPage, sidewaysScroll } from '../page-checks.ts';

const launched = await launchBrowser();

/** As strict as a server can be and still send pictures, a style and a script of its own. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

let folder: string;
let server: Server;
let origin: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-docs-site-'));
  await buildSite(join(folder, 'site'));
  server = createServer(({ url = '/' }, response) => {
    const path = join(folder, 'site', normalize(new URL(url, 'http://x').pathname));
    const file = statSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined;
    response.writeHead(file === undefined ? 404 : 200, {
      'content-security-policy': POLICY,
      'content-type': TYPES[extname(path)] ?? 'text/plain',
    });
    response.end(file === undefined ? 'not there' : readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  if (launched.browser !== undefined) await launched.browser.close();
  server.close();
  rmSync(folder, { recursive: true });
});

const { browser } = launched;
const why = browser === undefined ? ` (${launched.reason})` : '';

/** Opens the search by its key, asks, and waits for what is found. */
async function ask(page: Page, question: string): Promise<string[]> {
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search in all pages' }).fill(question);
  await page.locator('#found-0').waitFor();
  return page.locator('#found .name').allTextContents();
}

describe.skipIf(browser === undefined)(`the site in a browser${why}`, () => {
  it('is searched and followed by the keyboard, under a policy that forbids scripts inside pages', async () => {
    const { page, complaints } = await openPage(browser as Browser, origin);
    await page.goto(`${origin}/index.html`);
    const names = await ask(page, 'blind protocol');
    expect(names.length).toBeGreaterThan(2);
    const field = page.getByRole('combobox', { name: 'Search in all pages' });
    expect(await field.getAttribute('aria-activedescendant')).toBe('found-0');
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe('found-1');
    expect(await page.locator('#found [aria-selected=true]').count()).toBe(1);
    await page.keyboard.press('ArrowUp');
    const to = await page.locator('#found-0').getAttribute('href');
    await page.keyboard.press('Enter');
    await page.waitForURL(String(to));
    expect(page.url()).toContain('/docs/workflow-blind.html');
    expect(await page.locator('nav [aria-current=page]').count()).toBe(1);
    await page.locator('nav.besides a').last().click();
    await page.locator('h1').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog[open]').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('reads well for everybody, in light and dark, on a screen, a telephone and paper', async () => {
    const { page, complaints } = await openPage(browser as Browser, origin);
    for (const path of ['index.html', 'docs/tutorials/sessions.html', 'docs/errors.html']) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(`${origin}/${path}`);
      expect(await axeFaults(page), path).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeFaults(page, 'colours'), path).toEqual([]);
      await page.setViewportSize({ width: 360, height: 700 });
      expect(await sidewaysScroll(page), path).toBe(0);
    }
    const pages = page.getByRole('navigation', { name: 'Pages' });
    expect(await pages.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Pages' }).click();
    expect(await pages.isVisible()).toBe(true);
    expect(await axeFaults(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.rail').isVisible()).toBe(false);
    expect(await page.locator('article').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('keeps the theme that was chosen, and copies what is typed', async () => {
    const { page, complaints } = await openPage(browser as Browser, origin);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${origin}/docs/tutorials/sessions.html`);
    await page.getByLabel('Theme').selectOption('dark');
    await page.reload();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.getByRole('button', { name: 'Copy this code' }).first().click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'assay sessions list examples/session --sort q',
    );
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('works from a disk, pictures and search included', async () => {
    const page = await (browser as Browser).newPage();
    const failed: string[] = [];
    page.on('requestfailed', (request) => failed.push(request.url()));
    page.on('pageerror', (fault) => failed.push(fault.message));
    await page.goto(pathToFileURL(join(folder, 'site/index.html')).href);
    const pictures = await page.locator('article img').evaluateAll((images) => images.length);
    expect(pictures).toBeGreaterThan(0);
    expect((await ask(page, 'github action'))[0]).toContain('In CI');
    await page.keyboard.press('Enter');
    await page.waitForURL(/ci\.html/);
    expect(failed).toEqual([]);
    await page.close();
  });
});
