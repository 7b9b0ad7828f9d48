/** How much room text takes, and making it fit. */
import { createRequire } from 'node:module';

/** Characters of one column in every context: Latin letters, punctuation, and the marks and lines of our tables. */
export const ONE_COLUMN =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2030-\u203b\u2190-\u2193\u2200-\u22ff\u2500-\u25fc\u2713-\u2718]*$/;

let measure: ((text: string) => number) | undefined;

/** Columns a terminal needs: two for CJK and emoji, none for combining marks. */
export function widthOf(text: string): number {
  if (ONE_COLUMN.test(text)) return text.length;
  // Its expression for every emoji takes longer to make than most results take to print.
  measure ??= (createRequire(import.meta.url)('string-width') as typeof import('string-width')).default;
  return measure(text);
}

let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

function takeWidth(parts: readonly string[], width: number): string {
  let taken = '';
  for (const part of parts) {
    // Measured as a whole: neighbours may join into one wider cluster.
    if (widthOf(taken + part) > width) break;
    taken += part;
  }
  return taken;
}

function takeWidthFromEnd(parts: readonly string[], width: number): string {
  let taken = '';
  for (const part of parts.toReversed()) {
    if (widthOf(part + taken) > width) break;
    taken = part + taken;
  }
  return taken;
}

/** Names differ at both ends: `7ef1c0de55a2` in seven columns is `7ef1…a2`. */
export function shortenMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 1) return width === 1 ? '…' : '';
  const head = Math.ceil((width - 1) * 0.6);
  const parts = graphemes(text.slice(0, 4 * width + 64));
  const tail = graphemes(text.slice(-(4 * width + 64)).toWellFormed());
  return `${takeWidth(parts, head)}…${takeWidthFromEnd(tail, width - 1 - head)}`;
}

/**
 * Shortens the names of one column and keeps them distinct: where both ends are equal, the differing part is shown
 * instead of the beginning.
 */
export function shortenNames(names: readonly string[], width: number): string[] {
  const short = new Map([...new Set(names)].map((name) => [name, shortenMiddle(name, width)]));
  const alike = Map.groupBy(short.keys(), (name) => short.get(name) ?? name);
  for (const group of alike.values()) {
    if (group.length < 2) continue;
    const same = commonStart(group);
    group.forEach((name, index) => {
      const differs = shortenMiddle(`…${name.slice(same)}`, width);
      short.set(name, differs);
      // Even that may be cut to the same; a number is short.
      const taken = group.slice(0, index).some((other) => short.get(other) === differs);
      if (taken) short.set(name, `${shortenMiddle(name, width - 1 - String(index + 1).length)}~${index + 1}`);
    });
  }
  return names.map((name) => short.get(name) ?? name);
}

function commonStart(names: readonly string[]): number {
  const [first = ''] = names;
  let end = 0;
  while (end < first.length && names.every((name) => name[end] === first[end])) end += 1;
  return end;
}

/** A sentence carries most at its start. */
export function shortenEnd(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 1) return width === 1 ? '…' : '';
  return `${takeWidth(graphemes(text.slice(0, 8 * width + 64)), width - 1).trimEnd()}…`;
}

/** Lines of at most `width` columns, broken between words; a word that is longer than a line is broken inside. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (widthOf(line) > width) {
      // At least one cluster per line, or a wide character in a one-column line would never end.
      const parts = graphemes(line);
      const head = takeWidth(parts, width) || (parts[0] ?? '');
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** `a`, `a and b`, `a, b and c`. */
export function inWords(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/**
 * A series in one line of text, lowest to highest value: `▂▄▆█▃`. A gap stays blank; a flat series runs along the
 * middle. With more values than columns the latest are shown: what happens now matters most.
 */
export function sparkline(values: readonly (number | undefined)[], maxWidth = 24): string {
  const shown = values.slice(-Math.max(1, maxWidth));
  const finite = shown.filter((value) => value !== undefined && Number.isFinite(value)) as number[];
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  return shown
    .map((value) => {
      if (value === undefined || !Number.isFinite(value)) return ' ';
      const position = high === low ? 0.4 : (value - low) / (high - low);
      return BARS[Math.min(BARS.length - 1, Math.floor(position * BARS.length))];
    })
    .join('');
}
