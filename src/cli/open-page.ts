import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { plain } from '../report/unsafe-text.ts';
import type { Terminal } from './command.ts';

export function openPage(path: string, terminal: Terminal): void {
  openInBrowser(pathToFileURL(path).href, terminal);
}

/** In the browser that the user names, else in the one of the system. */
export function openInBrowser(address: string, terminal: Terminal): void {
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
