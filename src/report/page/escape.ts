import { plain } from '../unsafe-text.ts';

/** Text from anywhere as text of a page: never markup, no control characters. */
export function escapeHtml(text: string): string {
  return plain(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
