/**
 * A ground truth as a Markdown page. Task and version are in the front matter or the first heading, errors in a table
 * below a heading with "errors", traps below one with "traps". Other tables are ignored.
 */
import { type FieldPlace, InvalidInput, isRecord, type RawValue, refuse } from './fields.ts';
import { parseYaml } from './parse-yaml.ts';

const COLUMNS = [
  'id',
  'severity',
  'category',
  'description',
  'file',
  'section',
  'lines',
  'quote',
  'accept_categories',
];

type Row = { readonly line: number; readonly cells: ReadonlyMap<string, string> };
type Table = { readonly of: 'errors' | 'traps'; readonly rows: readonly Row[] };
type Item = Record<string, unknown> & { locations: Record<string, unknown>[] };

export function parseMarkdownTruth(text: string, path: string): { source: RawValue; notes: string[] } {
  const lines = text.split(/\r?\n/);
  const front = frontMatter(lines, path);
  const { tables, ignored, title } = readTables(lines, front.end, path);
  const lineOfItem = new Map<unknown, number>();
  const of = (kind: Table['of']) =>
    tables.filter((table) => table.of === kind).flatMap((table) => itemsOf(table, path, lineOfItem));
  const [errors, traps] = [of('errors'), of('traps')];
  if (!tables.some((table) => table.of === 'errors')) {
    throw refuse(at(path, 1), [], 'has no table below an "Errors" heading');
  }
  const value = { ...headingOf(title), ...front.value, errors, traps };
  const lists = { errors, traps };
  const lineOf = ([list, index]: FieldPlace) =>
    (list === 'errors' || list === 'traps') && typeof index === 'number'
      ? lineOfItem.get(lists[list][index])
      : 1;
  return {
    source: { path, value, lineOf },
    notes: ignored.map(
      (line) => `line ${line}: this table is not below an errors or traps heading; it was skipped`,
    ),
  };
}

function at(path: string, line: number): RawValue {
  return { path, value: undefined, lineOf: () => line };
}

function frontMatter(
  lines: readonly string[],
  path: string,
): { value: Record<string, unknown>; end: number } {
  if (lines[0]?.trim() !== '---') return { value: {}, end: 0 };
  const end = lines.indexOf('---', 1);
  if (end === -1) throw refuse(at(path, 1), [], 'has front matter that no line --- ends');
  const source = parseYaml(lines.slice(1, end).join('\n'), path, 2);
  if (!isRecord(source.value)) throw refuse(source, [], 'has front matter that is not a list of keys');
  const { task, version, categories, identify, ...others } = source.value;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw refuse(source, [other], 'is unknown; front matter may have task, version, categories, identify');
  }
  const value = Object.fromEntries(
    Object.entries({ task, version, categories, identify }).filter(([, v]) => v !== undefined),
  );
  return { value, end: end + 1 };
}

/** `# Ground truth: T1, version 1.0` */
function headingOf(title: string | undefined): Record<string, string> {
  const [, task, version] = /^ground truth:\s*(\S.*?),\s*version\s+(\S.*)/i.exec(title ?? '') ?? [];
  return task === undefined || version === undefined ? {} : { task, version };
}

function readTables(lines: readonly string[], start: number, path: string) {
  const tables: Table[] = [];
  const ignored: number[] = [];
  let [heading, title, fence]: (string | undefined)[] = [];
  for (let i = start; i < lines.length; i++) {
    const text = lines[i] ?? '';
    const mark = /^ {0,3}(```+|~~~+)/.exec(text)?.[1]?.slice(0, 3);
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    if (fence !== undefined) continue;
    const level = /^ {0,3}(#{1,6})\s/.exec(text)?.[1];
    if (level !== undefined) {
      heading = text.trim().slice(level.length).trim().slice(0, 1000);
      if (level === '#') title ??= heading;
    }
    if (!isRow(text) || !isRule(lines[i + 1])) continue;
    let end = i + 2;
    while (isRow(lines[end] ?? '')) end += 1;
    const of = /\btraps?\b/i.test(heading ?? '')
      ? 'traps'
      : /\berrors?\b/i.test(heading ?? '')
        ? 'errors'
        : undefined;
    if (of === undefined) ignored.push(i + 1);
    else tables.push({ of, rows: readRows(lines, i, end, path) });
    i = end - 1;
  }
  return { tables, ignored, title };
}

function isRow(text: string): boolean {
  return /^ {0,3}\|/.test(text);
}

function isRule(text: string | undefined): boolean {
  return /^ {0,3}\|[\s|:-]+$/.test(text ?? '') && text?.includes('-') === true;
}

function readRows(lines: readonly string[], start: number, end: number, path: string): Row[] {
  const columns = cellsOf(lines[start] ?? '').map((header) =>
    header.toLowerCase().replaceAll(/[\s-]+/g, '_'),
  );
  const unknown = columns.find((column, i) => !COLUMNS.includes(column) || columns.indexOf(column) !== i);
  if (unknown !== undefined || !columns.includes('id')) {
    const what =
      unknown === undefined ? 'has no column id' : `has an unknown or duplicate column "${unknown}"`;
    throw refuse(at(path, start + 1), [], `${what}; the columns are ${COLUMNS.join(', ')}`);
  }
  return lines.slice(start + 2, end).map((text, i) => {
    const line = start + 3 + i;
    const cells = cellsOf(text);
    if (cells.length > columns.length) {
      throw refuse(
        at(path, line),
        [],
        `this row has ${cells.length} cells for ${columns.length} columns; write a | inside a cell as \\|`,
      );
    }
    return { line, cells: new Map(columns.map((column, at) => [column, cells[at] ?? ''])) };
  });
}

/** The cells of `| a | b |`; `\|` is a literal bar in a cell and `<br>` a line break. */
function cellsOf(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) =>
    cell
      .trim()
      .replaceAll('\\|', '|')
      .split(/<br\s*\/?>/i)
      .map((part) => part.trim())
      .join('\n'),
  );
}

/** A row without an id adds a place to the row above it. */
function itemsOf({ rows }: Table, path: string, lineOfItem: Map<unknown, number>): Item[] {
  const items: Item[] = [];
  for (const { line, cells } of rows) {
    const cell = (column: string) => cells.get(column) || undefined;
    const place = keep({
      file: cell('file'),
      section: cell('section'),
      lines: linesOf(cell('lines'), path, line),
    });
    const places = Object.keys(place).length === 0 ? [] : [place];
    const above = items.at(-1);
    if (cell('id') === undefined) {
      const other = COLUMNS.find(
        (column) => !['file', 'section', 'lines'].includes(column) && cell(column) !== undefined,
      );
      if (above === undefined || other !== undefined || places.length === 0) {
        throw refuse(
          at(path, line),
          [],
          'this row has no id; only a row that adds a place to the one above may have none',
        );
      }
      above.locations.push(...places);
      continue;
    }
    const item = {
      ...keep({
        id: cell('id'),
        severity: cell('severity'),
        category: cell('category'),
        description: cell('description'),
        quote: unquoted(cell('quote')),
        accept_categories: cell('accept_categories')
          ?.split(',')
          .map((category) => category.trim()),
      }),
      locations: places,
    };
    items.push(item);
    lineOfItem.set(item, line);
  }
  return items;
}

function keep(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** `12`, `12-14` or `12–14`. */
function linesOf(cell: string | undefined, path: string, line: number): [number, number] | undefined {
  if (cell === undefined) return undefined;
  const [, from, to = from] = /^(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?$/.exec(cell) ?? [];
  if (from === undefined) {
    throw new InvalidInput([
      { file: path, line, place: 'lines', message: `"${cell}" is not a line or a range such as 12-14` },
    ]);
  }
  return [Number(from), Number(to)];
}

/** Backticks or double quotes around a quote are not part of it. */
function unquoted(quote: string | undefined): string | undefined {
  return quote?.replace(/^(?:`([\s\S]*)`|"([\s\S]*)"|“([\s\S]*)”)$/, (_, a, b, c) => a ?? b ?? c);
}
