/** A real browser for tests: the one that npm brings, so that nothing has to be installed on the machine. */
import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';

export type Launched =
  | { readonly browser: Browser }
  | { readonly browser: undefined; readonly reason: string };

/** Never throws: a machine where no browser starts gets the reason, and its tests skip and say so. */
export async function launchBrowser(): Promise<Launched> {
  const { TMPDIR } = process.env;
  try {
    // It unpacks itself into the temporary folder: into the one of the run, where the next test file finds it.
    process.env.TMPDIR = process.env.ASSAY_TEST_BROWSER;
    const executablePath = await sparticuz.executablePath();
    return { browser: await chromium.launch({ executablePath, args: browserArgs(), headless: true }) };
  } catch (fault) {
    if (existsSync(SYSTEM_CHROMIUM)) return launchSystemBrowser(fault);
    return { browser: undefined, reason: `no browser starts: ${firstLine(fault)}` };
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/** Made for one page per process and without web security; tests want several pages and a browser that checks. */
function browserArgs(): string[] {
  const unwanted = new Set([
    '--single-process',
    '--disable-web-security',
    '--allow-running-insecure-content',
  ]);
  return sparticuz.args.filter((arg) => !unwanted.has(arg));
}

async function launchSystemBrowser(first: unknown): Promise<Launched> {
  try {
    const args = ['--no-sandbox'];
    return { browser: await chromium.launch({ executablePath: SYSTEM_CHROMIUM, args, headless: true }) };
  } catch (fault) {
    return { browser: undefined, reason: `no browser starts: ${firstLine(first)}; ${firstLine(fault)}` };
  }
}

function firstLine(fault: unknown): string {
  return String(fault).split('\n')[0] ?? '';
}
