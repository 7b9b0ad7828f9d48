/** The pictures of the README: real reports of the bundled examples, in a real browser. `npm run pictures` */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launchBrowser } from '../../test/browser.ts';
import { PICTURES } from './pictures.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FIRST_SCREEN = { width: 1000, height: 640 };

const scratch = mkdtempSync(join(tmpdir(), 'assay-pictures-'));
process.env.ASSAY_TEST_BROWSER = scratch;
const launched = await launchBrowser();
try {
  if (launched.browser === undefined) throw new Error(launched.reason);
  cpSync(join(ROOT, 'examples'), join(scratch, 'examples'), { recursive: true });
  const page = await launched.browser.newPage({ viewport: FIRST_SCREEN, colorScheme: 'light' });
  for (const [name, words] of Object.entries(PICTURES)) {
    const report = join(scratch, `${name}.html`);
    const args = [join(ROOT, 'bin/assay.js'), ...words, '--format', 'html', '--out', report];
    execFileSync(process.execPath, args, { cwd: scratch, env: { HOME: scratch }, stdio: 'ignore' });
    await page.goto(pathToFileURL(report).href);
    const picture = join(scratch, `${name}.png`);
    await page.screenshot({ path: picture });
    copyFileSync(picture, join(ROOT, `docs/pictures/${name}.png`));
  }
} finally {
  await launched.browser?.close();
  rmSync(scratch, { recursive: true });
}
