import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { plain } from '../report/unsafe-text.ts';
import type { Terminal } from './command.ts';

/** The person's own choice first; then what the system has for it. */
export function openPage(path: string, terminal: Terminal): void {
  const { BROWSER } = terminal.env;
  const opener =
    BROWSER !== undefined && BROWSER !== ''
      ? BROWSER
      : process.platform === 'darwin'
        ? 'open'
        : process.platform === 'win32'
          ? 'explorer'
          : 'xdg-open';
  const address = pathToFileURL(path).href;
  const child = spawn(opener, [address], { detached: true, stdio: 'ignore' });
  child.on('error', () =>
    terminal.note(`No browser could be started (${plain(opener)}). The page is at ${plain(address)}\n`),
  );
  child.unref();
}
