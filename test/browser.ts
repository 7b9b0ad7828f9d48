/** A real browser for tests: the one that npm brings, so that nothing has to be installed on the machine. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { underLock } from '../src/locked-file.ts';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';

export type Launched =
  | { readonly browser: Browser }
  | { readonly browser: undefined; readonly reason: string };

/** Never throws: a machine where no browser starts gets the reason, and its tests skip and say so. */
export async function launchBrowser(): Promise<Launched> {
  const { TMPDIR } = process.env;
  try {
    // It unpacks itself into the temporary folder: into the one of the run, where the next test file finds it.
    const folder = process.env.ASSAY_TEST_BROWSER ?? tmpdir();
    process.env.TMPDIR = folder;
    // Another test file may be unpacking it at this moment.
    const unpacked = join(folder, 'unpacked');
    const executablePath = await underLock(unpacked, () => sparticuz.executablePath());
    return { browser: await chromium.launch({ executablePath, args: browserArgs(), headless: true }) };
  } catch (fault) {
    if (existsSync(SYSTEM_CHROMIUM)) return launchSystemBrowser(fault);
    return { browser: undefined, reason: `no browser starts: ${firstLine(fault)}` };
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/** Flags for a single page in one process, without security checks; tests need several pages, and the checks. */
const UNWANTED = ['--single-process', '--disable-web-security', '--allow-running-insecure-content'];

/** A graphics card made of software, which takes more than twice as long for a picture as drawing without one. */
const SOFTWARE_CARD = [
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
];

function browserArgs(): string[] {
  const unwanted = new Set([...UNWANTED, ...SOFTWARE_CARD]);
  return [...sparticuz.args.filter((arg) => !unwanted.has(arg)), '--disable-gpu'];
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
