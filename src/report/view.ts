/**
 * What a result says to people, declared before any format decides how it looks: terminal, CSV, Markdown, HTML and the
 * dashboard render the same view. Answer first, then evidence, then how to go on. `tableOf` makes a table of items.
 */

import type { GateVerdict } from '../judge/gate.ts';
import type { JudgedMetric } from '../judge/verdict.ts';
import type { Zone } from '../judge/zone.ts';
import { camelCase } from '../letter-case.ts';
import type { Measurement } from '../measure/metric.ts';
import type { Action } from './action.ts';
import type { Chart } from './chart.ts';
import type { Tone } from './zone-mark.ts';

export type View = {
  readonly title: string;
  /** Put before the answer as mark and word: `✗ Blocked`. Absent where nothing was gated. */
  readonly verdict?: GateVerdict;
  /** Said in the same breath as the verdict: `✓ Passed, 1 case failed`. */
  readonly qualifier?: string;
  /** One or two sentences a person reads first. */
  readonly answer: string;
  /** The few numbers that a page shows large; formats of lines say them in a block. */
  readonly tiles?: readonly Tile[];
  readonly blocks: readonly Block[];
  /** Limits of these numbers, and what was skipped. */
  readonly notes: readonly string[];
  /** What goes on from here. */
  readonly next: readonly Action[];
};

/** One number, its grade in a word, and what it is compared with. */
export type Tile = {
  readonly label: string;
  readonly value: Cell;
  readonly unit: CellUnit;
  readonly word?: { readonly text: string; readonly tone: Tone };
  readonly aside?: string;
  /** The title of the block with its parts. */
  readonly madeOf?: string;
  /** What the whole is made of, as shares that sum to 1 or less. */
  readonly parts?: readonly { readonly label: string; readonly share: number; readonly tone: Tone }[];
};

export type Block = MetricsBlock | ChangesBlock | TableBlock | ListBlock | LinksBlock | ChartBlock;

/** Metrics with value, interval, zone and change since the baseline. */
export type MetricsBlock = {
  readonly kind: 'metrics';
  readonly title: string;
  readonly metrics: readonly JudgedMetric[];
  /** Left out of a terminal until `--all`. */
  readonly folded?: boolean;
};

/** Metrics before and now, without unchanged ones. */
export type ChangesBlock = {
  readonly kind: 'changes';
  readonly title: string;
  readonly metrics: readonly JudgedMetric[];
};

export type TableBlock = {
  readonly kind: 'table';
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Rows shown before "and 1,510 more"; all of them when absent. CSV and JSONL always hold all. */
  readonly limit?: number;
  /** Evidence to look up: folded in Markdown and HTML, hidden in a terminal until `--all`. */
  readonly folded?: boolean;
};

export type ListBlock = {
  readonly kind: 'list';
  readonly title: string;
  readonly items: readonly string[];
  /** The tiles hold the same numbers, so a page with tiles leaves the list out. */
  readonly tiled?: boolean;
};

/** Links to the details of the block before; a terminal does not show them. */
export type LinksBlock = { readonly kind: 'links'; readonly links: readonly Link[] };

/** An address, or where there is none the command that shows it. */
export type Link =
  | { readonly text: string; readonly to: string }
  | { readonly text: string; readonly does: Action };

export type ChartBlock = {
  readonly kind: 'chart';
  readonly chart: Chart;
  /** A block above holds the same numbers, so formats without pictures leave the chart out. */
  readonly repeats?: boolean;
};

/** What the values of a column are, and so how people read them; machine formats get the raw value. */
export type CellUnit =
  | 'text'
  /** An identifier that people read: shortened in the middle, never at the end. */
  | 'name'
  /** An identifier; of a long one the first eight characters are shown. */
  | 'id'
  /** A point in time, ISO 8601. */
  | 'time'
  /** Its day alone. */
  | 'day'
  | 'count'
  | 'ratio'
  | 'percent'
  | 'score'
  | 'usd'
  /** Dollars in a list that is read at a glance: nothing finer than a cent. */
  | 'cents'
  | 'duration-ms'
  | 'tokens'
  | 'points'
  /** The same under a header that says so: only its sign and its digits. */
  | 'signed'
  /** So many times. */
  | 'times'
  | 'per-usd'
  | 'per-1k-tokens'
  /** A difference in the unit of what differs, with its sign. */
  | 'difference'
  | 'p-value'
  | 'zone';

export type Column = {
  readonly key: string;
  readonly title: string;
  readonly unit: CellUnit;
  /** Between 0 and 1; a page draws it next to the number. */
  readonly drawn?: boolean;
  /** Where space is short the columns with the highest number go first, of those without one the rightmost. */
  readonly priority?: number;
  /** A text or name that has less room than this says too little. */
  readonly min?: number;
  /** More room than this it does not need: others have more use for it. */
  readonly max?: number;
  /** A sentence: a terminal writes it below the row. */
  readonly below?: true;
};

/** So many of so many; `mark` says how good that is at a glance, `few` that it is too few to say much. */
export type Fraction = {
  readonly count: number;
  readonly of: number;
  readonly mark?: string;
  readonly few?: boolean;
};

/** A mean with its standard deviation: `65±8`. */
export type Spread = { readonly mean: Measurement; readonly sd: Measurement };

/** A value that brings its own unit, with its zone where it was judged. */
export type Styled = {
  readonly value: Measurement | number | undefined;
  readonly unit: CellUnit;
  readonly zone?: Zone;
};

/** A score with its tier: mark and colour of the tier are next to the number. */
export type Graded = { readonly score: number | undefined; readonly tier: string | undefined };

/** A value with a name, where a cell has several. */
export type NamedValue = Styled & { readonly name: string };

/** From one place to another, e.g. in a text. */
type Stretch = { readonly from: number; readonly to: number };

/** The value before and now. */
type Shift = { readonly before: Measurement; readonly now: Measurement };

/**
 * A value, never a text made of one: a page sorts and formats it itself. A measurement brings its interval, or the
 * reason why it has no value. `undefined` is unmeasured: `–` for people, an empty field in CSV, `null` in JSON.
 */
export type Cell =
  | string
  | number
  | Zone
  | Measurement
  | Fraction
  | Shift
  | Spread
  | Styled
  | Graded
  | Stretch
  | readonly (string | NamedValue | JudgedMetric)[]
  | undefined;

export type Row = Readonly<Record<string, Cell>>;

/** A column of a table of items, with what its cell is of each. */
export type ItemColumn<Item> = Omit<Column, 'title' | 'unit'> & {
  /** Without it the key. */
  readonly title?: string;
  /** Without it `text`. */
  readonly unit?: CellUnit;
  /** Without it the property that the key names: `cost_usd` is `costUsd`. */
  readonly of?: (item: Item, index: number) => Cell;
};

/** One row for each item. A column that is `false` is not there. */
export function tableOf<Item>(
  title: string,
  items: readonly Item[],
  columns: readonly (ItemColumn<Item> | false)[],
  options: Pick<TableBlock, 'limit' | 'folded'> = {},
): TableBlock {
  const shown = columns.filter((column) => column !== false);
  return {
    kind: 'table',
    title,
    columns: shown.map(({ of: _, title: head, unit = 'text', ...column }) => ({
      ...column,
      title: head ?? column.key,
      unit,
    })),
    rows: items.map((item, index) =>
      Object.fromEntries(
        shown.map(({ key, of = property(key) }) => [key, of(item, index)] satisfies [string, Cell]),
      ),
    ),
    ...options,
  };
}

function property(key: string): (item: unknown) => Cell {
  const name = camelCase(key);
  return (item) => cellOf(item as Row, name);
}

/** A key such as `constructor` must not find what every object inherits. */
export function cellOf(row: Row, key: string): Cell {
  return Object.hasOwn(row, key) ? row[key] : undefined;
}

/** The one plain value of a cell: what CSV and JSON hold, and what a column is sorted by. */
export function plainValue(cell: Cell): string | number | undefined {
  if (typeof cell !== 'object') return cell;
  if ('measured' in cell) return cell.measured ? cell.value : undefined;
  if ('of' in cell) return cell.of === 0 ? undefined : cell.count / cell.of;
  if ('now' in cell) return plainValue(cell.now);
  if ('sd' in cell) return plainValue(cell.mean);
  if ('unit' in cell) return plainValue(cell.value);
  if ('tier' in cell) return cell.score;
  if ('from' in cell) return cell.from;
  return cell.map(partValue).join(', ');
}

function partValue(part: string | NamedValue | JudgedMetric): string {
  if (typeof part === 'string') return part;
  const [name, value] = 'name' in part ? [part.name, part.value] : [part.title, part.measurement];
  return `${name} ${plainValue(value) ?? ''}`.trimEnd();
}
