import { commandLine } from './action.ts';
import type { Chart } from './chart.ts';
import { chartTable } from './chart-table.ts';
import { formatCount } from './number.ts';
import { terminalChart } from './terminal-chart.ts';
import { shortenEnd, shortenMiddle } from './text.ts';
import { changesTable, metricsTable, type TextColumn, type TextTable, textTable } from './text-table.ts';
import { plain } from './unsafe-text.ts';
import type { Block, Link, TableBlock, View } from './view.ts';
import { verdictMark } from './zone-mark.ts';

/** A pull-request comment holds 65,536 characters. */
const MARKDOWN_LIMIT = 65_000;

/** One hostile cell must not use up the whole comment; machine formats hold the full text. */
const CELL_LIMIT = 160;
const PROSE_LIMIT = 800;

/** What can be cut: `rows` from the end, one at a time; head and foot stay together. */
type Part = { readonly head: string; readonly rows: readonly string[]; readonly foot: string };

export function renderMarkdown(document: View, options: { readonly maxChars?: number } = {}): string {
  const lead = [`## ${safe(document.title, CELL_LIMIT)}`, answer(document)];
  const maxChars = options.maxChars ?? MARKDOWN_LIMIT;
  const body = document.blocks.flatMap((block) => blockPart(block, maxChars));
  const tail = tailParts(document);
  return cutToFit([...lead.map(prosePart), ...body], tail, maxChars);
}

function answer(document: View): string {
  const text = safe(document.answer, PROSE_LIMIT);
  return document.verdict === undefined
    ? text
    : `**${verdictMark(document.verdict, document.qualifier).text}:** ${text}`;
}

function prosePart(text: string): Part {
  return { head: `${text}\n`, rows: [], foot: '' };
}

function blockPart(block: Block, maxChars: number): Part[] {
  switch (block.kind) {
    case 'metrics':
      return tablePart(metricsTable(block));
    case 'changes':
      return tablePart(changesTable(block));
    case 'table':
      return tablePart(textTable(block, rowsWithin(block, maxChars)));
    case 'list':
      return listPart(
        `**${safe(block.title, CELL_LIMIT)}**`,
        block.items.map((item) => safe(item, PROSE_LIMIT)),
      );
    case 'links':
      return [{ head: '', rows: [`Look closer: ${block.links.map(linkText).join(', ')}\n`], foot: '' }];
    case 'chart':
      return block.repeats ? [] : chartPart(block.chart);
  }
}

/** A row has more characters than columns: those beyond these never fit, and are not made. */
function rowsWithin({ columns, limit, rows }: TableBlock, maxChars: number): number {
  return Math.min(limit ?? rows.length, Math.ceil(maxChars / Math.max(1, columns.length)));
}

function linkText(link: Link): string {
  if ('does' in link) return code(commandLine(link.does));
  // What would end the address is spelt out.
  const address = new URL(link.to).href.replaceAll('(', '%28').replaceAll(')', '%29');
  return `[${safe(link.text, CELL_LIMIT)}](${address})`;
}

/** A line over time is seen at a glance; other charts are their values. */
function chartPart(chart: Chart): Part[] {
  if (chart.kind !== 'series') return tablePart({ ...chartTable(chart), folded: true });
  const lines = terminalChart(chart).rows.map((cells) =>
    cells.map((cell) => safe(cell.text, CELL_LIMIT)).join(' '),
  );
  return listPart(`**${safe(chart.title, CELL_LIMIT)}**`, lines);
}

function tablePart(table: TextTable): Part[] {
  if (table.rows.length === 0) return [];
  const shown = table.rows.slice(0, table.limit ?? table.rows.length);
  const all = table.rows.length + (table.beyond ?? 0);
  const more = Math.max(0, all - (table.limit ?? all));
  const title = safe(table.title, CELL_LIMIT);
  const header = `${row(table.columns.map((column) => safe(column.title, CELL_LIMIT)))}${row(table.columns.map(rule))}`;
  const rows = shown.map((cells) =>
    row(cells.map((cell, index) => cellText(cell.text, table.columns[index]))),
  );
  const rest = more > 0 ? `\nand ${formatCount(more)} more\n` : '';
  return [
    table.folded
      ? {
          head: `<details><summary>${title} (${formatCount(all)})</summary>\n\n${header}`,
          rows,
          foot: `${rest}\n</details>\n`,
        }
      : { head: `**${title}**\n\n${header}`, rows, foot: rest },
  ];
}

function cellText(text: string, column: TextColumn | undefined): string {
  const short = column?.shorten === 'middle' ? shortenMiddle(text, 60) : text;
  return safe(short, CELL_LIMIT);
}

function rule(column: TextColumn): string {
  return column.align === 'point' ? '--:' : ':--';
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

function listPart(head: string, items: readonly string[]): Part[] {
  return items.length === 0
    ? []
    : [{ head: `${head}\n\n`, rows: items.map((item) => `- ${item}\n`), foot: '' }];
}

function tailParts(document: View): Part[] {
  return [
    ...listPart(
      '**Notes**',
      document.notes.map((note) => safe(note, PROSE_LIMIT)),
    ),
    ...listPart(
      '**Next**',
      document.next.map((step) => code(commandLine(step))),
    ),
  ];
}

/** Notes and next steps stay: evidence before them is cut, at the end of a row. */
function cutToFit(parts: readonly Part[], tail: readonly Part[], maxChars: number): string {
  const whole = [...parts, ...tail].map(textOf).join('\n');
  if (whole.length <= maxChars) return whole;
  const note = '\n_Cut to fit; the other formats hold everything._\n';
  const ending = cut(tail, Math.floor(maxChars / 2));
  return `${cut(parts, maxChars - ending.length - note.length - 1)}${note}${ending === '' ? '' : '\n'}${ending}`.slice(
    0,
    maxChars,
  );
}

function cut(parts: readonly Part[], maxChars: number): string {
  let text = '';
  for (const part of parts) {
    const start = text === '' ? '' : '\n';
    const full = start + textOf(part);
    if (text.length + full.length <= maxChars) {
      text += full;
      continue;
    }
    return text + cutPart(part, start, maxChars - text.length);
  }
  return text;
}

function cutPart(part: Part, start: string, room: number): string {
  let used = start.length + part.head.length + part.foot.length;
  const fitting = part.rows.filter((line, index) => {
    used += line.length;
    // Once a row did not fit none after it is taken: rows stay in order.
    return used <= room && index < part.rows.length;
  });
  return fitting.length === 0 ? '' : start + part.head + fitting.join('') + part.foot;
}

function textOf(part: Part): string {
  return part.head + part.rows.join('') + part.foot;
}

const ZERO_WIDTH_SPACE = '\u200b';

/**
 * Data as plain words. A backslash does not stop a mention or a reference (they are found after Markdown is
 * rendered), a zero-width space does.
 */
function safe(text: string, limit: number): string {
  return shortenEnd(plain(text), limit)
    .replace(/[\\`*_{}[\]|~$]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[@#](?=[\p{L}\p{N}_])/gu, `$&${ZERO_WIDTH_SPACE}`)
    .replace(/\b(GH)-(?=\d)/gi, `$1${ZERO_WIDTH_SPACE}-`)
    .replace(/:\/\//g, `:${ZERO_WIDTH_SPACE}//`)
    .replace(/\bwww\./gi, `www${ZERO_WIDTH_SPACE}.`)
    .replace(/^(\s*)([-+#=])(?=\2*(\s|$))/, '$1\\$2')
    .replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2');
}

/** A command as it is typed. The fence is longer than any run of backticks inside. */
function code(command: string): string {
  const text = shortenEnd(plain(command), PROSE_LIMIT);
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
