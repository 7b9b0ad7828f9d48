/** The pictures of the README: real reports of the bundled examples, in a real browser. `npm run pictures` */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../test/browser.ts';
import { startDashboard } from '../../test/dashboard.ts';
import { openPage, show } from '../../test/page-checks.ts';
import { PICTURES } from './pictures.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FIRST_SCREEN = { width: 1000, height: 640 };

const scratch = mkdtempSync(join(tmpdir(), 'assay-pictures-'));
process.env.ASSAY_TEST_BROWSER = scratch;
const launched = await launchBrowser();
try {
  if (launched.browser === undefined) throw new Error(launched.reason);
  cpSync(join(ROOT, 'examples'), join(scratch, 'examples'), { recursive: true });
  for (const [name, words] of Object.entries(PICTURES))
    await (words[0] === 'serve'
      ? pictureDashboard(launched.browser, name)
      : pictureReport(launched.browser, name, words));
} finally {
  await launched.browser?.close();
  rmSync(scratch, { recursive: true });
}

async function pictureReport(browser: Browser, name: string, words: readonly string[]): Promise<void> {
  const page = await browser.newPage({ viewport: FIRST_SCREEN, colorScheme: 'light' });
  const report = join(scratch, `${name}.html`);
  const args = [join(ROOT, 'bin/assay.js'), ...words, '--format', 'html', '--out', report];
  execFileSync(process.execPath, args, { cwd: scratch, env: { HOME: scratch }, stdio: 'ignore' });
  await page.goto(pathToFileURL(report).href);
  await page.screenshot({ path: join(scratch, `${name}.png`) });
  copyFileSync(join(scratch, `${name}.png`), join(ROOT, `docs/pictures/${name}.png`));
}

/** Over the bundled sessions, as if they had happened in the last two weeks. */
async function pictureDashboard(browser: Browser, name: string): Promise<void> {
  const dashboard = await startDashboard();
  try {
    const { page } = await openPage(browser, dashboard.url);
    await show(page, dashboard.url);
    await page.screenshot({ path: join(ROOT, `docs/pictures/${name}.png`) });
    await page.context().close();
  } finally {
    await dashboard.stop();
  }
}
