import { commandLine } from './action.ts';
import { formatCount } from './number.ts';
import { GAP, type LaidOutCell, layOut } from './table-layout.ts';
import { terminalChart } from './terminal-chart.ts';
import { shortenEnd, widthOf, wrap } from './text.ts';
import { changesTable, metricsTable, type TextTable, textTable } from './text-table.ts';
import { plain } from './unsafe-text.ts';
import type { Block, View } from './view.ts';
import { splitMark, type Tone, verdictMark } from './zone-mark.ts';

export type TerminalOptions = {
  /** Columns of the terminal; 80 where unknown. */
  readonly width: number;
  readonly colour: boolean;
  /** Every row and every folded table. */
  readonly all?: boolean;
};

/** No line is shorter than a word can be. */
const MIN_WIDTH = 20;
const ROW_LIMIT = 10;
const INDENT = '  ';
/** An error text may be a whole log; its start is enough here, JSON holds the rest. */
const PROSE_LIMIT = 1000;

// From the 256-colour cube, each readable on a black and on a white background. Blue and teal are good, amber is
// caution, vermilion is bad: colour-blind readers can distinguish them.
const COLOURS: Readonly<Record<Tone, string>> = {
  excellent: '\x1b[38;5;32m',
  good: '\x1b[38;5;30m',
  caution: '\x1b[38;5;136m',
  bad: '\x1b[1;38;5;166m',
  quiet: '\x1b[38;5;244m',
};
const BOLD = '\x1b[1m';
const RESET = '\x1b[0m';

/** A narrower screen has no room for the value over all cases thrown together; JSON and HTML have it. */
const WIDTH_FOR_POOLED = 100;

type Screen = { readonly width: number; readonly colour: boolean; readonly all: boolean };

/** The document as lines for a person: no line is wider than the terminal, and none ends in blanks. */
export function renderTerminal(document: View, options: TerminalOptions): string {
  const screen: Screen = {
    width: Math.max(MIN_WIDTH, Math.floor(options.width)),
    colour: options.colour,
    all: options.all ?? false,
  };
  const parts = [
    titleLines(document, screen),
    answerLines(document, screen),
    ...document.blocks.map((block) => blockLines(block, screen)),
    document.notes.flatMap((note) => prose(note, screen).map((line) => paint(line, 'quiet', screen))),
    nextLines(document.next, screen),
  ];
  const filled = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${filled.join('\n\n')}\n`;
}

function titleLines(document: View, screen: Screen): string[] {
  return document.title === '' ? [] : [heading(document.title, screen)];
}

function answerLines(document: View, screen: Screen): string[] {
  if (document.verdict === undefined) return prose(document.answer, screen);
  const mark = verdictMark(document.verdict, document.qualifier);
  const [first = '', ...rest] = prose(`${mark.text}: ${document.answer}`, screen);
  // Only the mark is coloured; it fits on the first line unless the window is tiny.
  const coloured = first.startsWith(mark.text)
    ? paint(mark.text, mark.tone, screen) + first.slice(mark.text.length)
    : first;
  return [coloured, ...rest];
}

function blockLines(block: Block, screen: Screen): string[] {
  switch (block.kind) {
    case 'metrics':
      return block.folded && !screen.all
        ? []
        : tableLines(metricsTable(block, { pooled: screen.width >= WIDTH_FOR_POOLED }), screen);
    case 'changes':
      return tableLines(changesTable(block), screen);
    case 'table':
      return block.folded && !screen.all
        ? []
        : tableLines(textTable(block, screen.all ? undefined : block.limit), screen);
    case 'list':
      return listLines(block.title, block.items, screen);
    case 'links':
      return [];
    case 'chart':
      return block.repeats ? [] : tableLines(terminalChart(block.chart), screen);
  }
}

function tableLines(given: TextTable, screen: Screen): string[] {
  if (given.rows.length === 0) return [];
  const below = given.columns.findIndex((column) => column.below);
  const table = withoutColumn(given, below);
  const limit = screen.all ? table.rows.length : (table.limit ?? table.rows.length);
  const laidOut = layOut(table, table.rows.slice(0, limit), screen.width - INDENT.length);
  const lines = laidOut.rows.flatMap((row, i) => [
    rowLine(row, screen),
    ...sentenceLines(given.rows[i]?.[below]?.text ?? '', screen),
  ]);
  const headed = laidOut.titles.some((cell) => cell.text !== '');
  return [
    heading(table.title, screen),
    ...(headed
      ? [
          rowLine(
            laidOut.titles.map((cell) => ({ ...cell, tone: 'quiet' as const })),
            screen,
          ),
        ]
      : []),
    ...lines,
    ...moreLines(table.rows.length + (table.beyond ?? 0) - limit, screen),
    ...(laidOut.dropped.length > 0 && headed ? droppedLines(laidOut.dropped, screen) : []),
  ];
}

function withoutColumn(table: TextTable, index: number): TextTable {
  if (index < 0) return table;
  const rows = table.rows.map((row) => row.toSpliced(index, 1));
  return { ...table, columns: table.columns.toSpliced(index, 1), rows };
}

function sentenceLines(text: string, screen: Screen): string[] {
  const indent = INDENT + INDENT;
  return text === '' ? [] : wrap(plain(text), screen.width - indent.length).map((line) => indent + line);
}

function droppedLines(dropped: readonly string[], screen: Screen): string[] {
  const names = dropped.filter((name) => name !== '').join(', ');
  return names === ''
    ? []
    : indented(`not shown at this width: ${names}`, screen).map((line) => paint(line, 'quiet', screen));
}

function moreLines(more: number, screen: Screen): string[] {
  return more > 0 ? [paint(`${INDENT}and ${formatCount(more)} more (--all)`, 'quiet', screen)] : [];
}

function rowLine(cells: readonly LaidOutCell[], screen: Screen): string {
  let line = INDENT;
  let blanks = 0;
  for (const [index, cell] of cells.entries()) {
    blanks += (index > 0 ? GAP : 0) + cell.padBefore;
    // Leading blanks of a number belong to its alignment, not to its colour.
    const unled = cell.text.replace(/^ +/, '');
    const text = unled.replace(/(?<! ) +$/, '');
    blanks += cell.text.length - unled.length;
    // Blanks are written only before something, so no line ends in them.
    if (text !== '') {
      line += ' '.repeat(blanks) + paint(text, cell.tone, screen);
      blanks = 0;
    }
    blanks += unled.length - text.length + cell.padAfter;
  }
  return line;
}

function listLines(title: string, items: readonly string[], screen: Screen): string[] {
  if (items.length === 0) return [];
  const limit = screen.all ? items.length : ROW_LIMIT;
  const lines = items.slice(0, limit).flatMap((item) => {
    const [first = '', ...rest] = indented(plain(item), screen);
    const marked = splitMark(first.trimStart());
    return [marked ? first.replace(marked.mark, paint(marked.mark, marked.tone, screen)) : first, ...rest];
  });
  return [heading(title, screen), ...lines, ...moreLines(items.length - limit, screen)];
}

/** Following lines are indented by two, so that each item is recognisable. */
function indented(text: string, screen: Screen): string[] {
  const lines = wrap(shortenEnd(text, PROSE_LIMIT), screen.width - 2 * INDENT.length);
  return lines.map((line, index) => (index === 0 ? INDENT : INDENT + INDENT) + line);
}

function prose(text: string, screen: Screen): string[] {
  return wrap(shortenEnd(plain(text), PROSE_LIMIT), screen.width);
}

/** Commands stay whole where they can; one that cannot goes on as a shell takes it, so that it can be copied. */
function nextLines(next: View['next'], screen: Screen): string[] {
  const safe = next.map((step) => plain(commandLine(step)).trim()).filter((command) => command !== '');
  if (safe.length === 0) return [];
  const line = `Next: ${safe.join(' · ')}`;
  if (widthOf(line) <= screen.width) return [line];
  const lines = safe.flatMap((command) => commandLines(command, screen.width - 'Next: '.length));
  return lines.map((part, index) => (index === 0 ? `Next: ${part}` : `      ${part}`));
}

function commandLines(command: string, width: number): string[] {
  if (widthOf(command) <= width) return [command];
  // A break inside a word or its quotes would change the command, so a long word is not broken.
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined || widthOf(`${line} ${word}`) > width - 2) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
}

function heading(title: string, screen: Screen): string {
  return bold(shortenEnd(plain(title).trim(), screen.width), screen);
}

function bold(text: string, screen: Screen): string {
  return screen.colour && text !== '' ? `${BOLD}${text}${RESET}` : text;
}

function paint(text: string, tone: Tone | undefined, screen: Screen): string {
  return screen.colour && tone !== undefined && text !== '' ? `${COLOURS[tone]}${text}${RESET}` : text;
}
