/** Where a file of the repository is on the site: the folders stay, Markdown and program text become pages. */
import { posix } from 'node:path';

/** Sent as they are: browsers show them, and programs read them. */
const AS_THEY_ARE = /\.(?:json|png|svg)$/;

export const isCopied = (path: string) => AS_THEY_ARE.test(path);

export function addressOf(path: string): string {
  if (isCopied(path)) return path;
  if (path === 'README.md' || path.endsWith('/README.md')) return path.replace(/README\.md$/, 'index.html');
  return path.endsWith('.md') ? path.replace(/\.md$/, '.html') : `${path}.html`;
}

/** An address as a page at another one writes it: it works from a disk and below any folder of a server. */
export function relativeAddress(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}
