import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { plain } from '../report/unsafe-text.ts';
import type { Terminal } from './command.ts';

export function openPage(path: string, terminal: Terminal): void {
  openInBrowser(pathToFileURL(path).href, terminal);
}

/** In the browser that the user names, else in the one of the system. */
function openInBrowser(address: string, terminal: Terminal): void {
  const { BROWSER } = terminal.env;
  const opener =
    BROWSER !== undefined && BROWSER !== ''
      ? BROWSER
      : process.platform === 'darwin'
        ? 'open'
        : process.platform === 'win32'
          ? 'explorer'
          : 'xdg-open';
  const child = spawn(opener, [address], { detached: true, stdio: 'ignore' });
  child.on('error', () =>
    terminal.note(`Assay could not start a browser (${plain(opener)}). Open ${plain(address)}\n`),
  );
  child.unref();
}

const READ_MS = 30_000;

/** By way of a file that only its owner can read: other accounts see the arguments of a process, and the address has a key. */
export function openServed(address: string, terminal: Terminal): void {
  const folder = mkdtempSync(join(tmpdir(), 'assay-open-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const page = join(folder, 'assay.html');
  const to = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  writeFileSync(
    page,
    `<!doctype html><meta http-equiv="refresh" content="0; url=${to}"><title>Assay</title>`,
    {
      mode: 0o600,
    },
  );
  process.once('exit', remove);
  setTimeout(remove, READ_MS).unref();
  openPage(page, terminal);
}
