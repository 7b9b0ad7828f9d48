/** Words of a review on their way into a file that other tools show: nothing hidden, no links, no placeholders. */

// Control and format characters, line separators; the two joiners stay, which emoji and several scripts need.
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** White space becomes one blank, hidden characters vanish, and the end is cut. */
export function oneLine(text: string, most: number): string {
  const clean = text.toWellFormed().replace(/\s+/gu, ' ').replace(HIDDEN, '').trim();
  return shorten(clean, most);
}

function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half of a pair of surrogates is no character.
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
}

/**
 * Title and description on lines of their own. In a message `[words](place)` is a link and `{0}` a placeholder; a blank
 * inside makes them words.
 */
export function messageText(title: string, description: string | undefined, most: number): string {
  const parts = [title, ...(description?.split(/\r\n|\n|\r/u) ?? [])]
    .map((part) => oneLine(part, most))
    .filter((part) => part !== '');
  const text = parts
    .join('\n')
    .replaceAll('](', '] (')
    .replace(/\{(?=\d+\})/g, '{ ');
  return shorten(text, most) || 'no title';
}
