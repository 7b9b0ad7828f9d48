import { shortenEnd } from '../../report/text.ts';
import {
  type Block,
  type Fraction,
  type ItemColumn,
  plainValue,
  type TableBlock,
  tableOf,
} from '../../report/view.ts';
import type { Edge } from '../evidence.ts';
import type { Findings } from '../investigate/findings.ts';
import type { QuoteFault } from '../investigate/provenance.ts';
import { type Confusion, confusionAxes } from '../investigate/relationships.ts';

const ROWS = 10;
const LONGEST_QUOTE = 100;

/** Omits columns without information: with one run every count is 1, and some columns are empty. */
function table<Item>(
  title: string,
  items: readonly Item[],
  columns: readonly ItemColumn<Item>[],
): TableBlock[] {
  if (items.length === 0) return [];
  const whole = tableOf(title, items, columns, { limit: ROWS });
  const { rows } = whole;
  const shown = whole.columns.filter(
    ({ key }) =>
      !(
        (key === 'count' && rows.every((row) => row.count === 1)) ||
        (key === 'runs' && rows.every((row) => (row.runs as Fraction).of === 1)) ||
        rows.every((row) => plainValue(row[key]) === '')
      ),
  );
  return [{ ...whole, columns: shown }];
}

export function evidenceTables(findings: Findings): TableBlock[] {
  return [
    ...missedTable(findings),
    ...extrasTable(findings),
    ...duplicatesTable(findings),
    ...wrongTable(findings),
    ...missedRelationshipsTable(findings),
    ...quotesTable(findings),
  ];
}

const quoted = (text = '') => shortenEnd(text, LONGEST_QUOTE);

function missedTable({ missed, runs }: Findings): TableBlock[] {
  return table('Missed concepts', missed, [
    { key: 'label', title: 'concept', unit: 'name' },
    {
      key: 'kind',
      title: 'in the text',
      of: ({ kind, name }) => (kind === 'stated under an alias' ? `stated as "${name}"` : kind),
    },
    { key: 'required', unit: 'name', of: ({ required }) => (required ? 'yes' : 'no') },
    { key: 'runs', title: 'missed in runs', unit: 'count', of: (one) => ({ count: one.runs, of: runs }) },
    { key: 'near', title: 'extracted instead', unit: 'name', of: ({ nearest }) => nearest?.label ?? '' },
    { key: 'nearness', title: 'because', of: ({ nearest }) => nearest?.why ?? '' },
    {
      key: 'place',
      title: 'at',
      unit: 'count',
      of: ({ passage }) => (passage === undefined ? '' : { from: passage.from, to: passage.to }),
    },
    { key: 'sentence', title: 'text', of: ({ passage }) => quoted(passage?.sentence) },
  ]);
}

function extrasTable({ extras, runs }: Findings): TableBlock[] {
  return table('Unexpected concepts', extras, [
    { key: 'label', title: 'concept', unit: 'name' },
    { key: 'kind', title: 'what it is' },
    { key: 'why', of: whyExtra },
    { key: 'count', title: 'times', unit: 'count' },
    { key: 'runs', title: 'in runs', unit: 'count', of: (one) => ({ count: one.runs, of: runs }) },
  ]);
}

function whyExtra({ canary, near, passage }: Findings['extras'][number]): string {
  if (canary !== undefined) return `forbidden as ${canary}`;
  return near === undefined ? quoted(passage?.sentence) : `${near.expected}: ${near.why}`;
}

function duplicatesTable({ duplicates }: Findings): TableBlock[] {
  return table('Duplicates', duplicates, [
    { key: 'expected', title: 'concept', unit: 'name' },
    {
      key: 'labels',
      title: 'extracted again as',
      of: ({ labels }) => quoted(labels.slice(0, ROWS).join(', ')),
    },
    { key: 'count', title: 'times', unit: 'count' },
  ]);
}

const EDGE: readonly ItemColumn<Edge>[] = [
  { key: 'source', title: 'from', unit: 'name', of: ({ source }) => shortenEnd(source, 50) },
  { key: 'predicate', title: 'relationship', unit: 'name' },
  { key: 'target', title: 'to', unit: 'name', of: ({ target }) => shortenEnd(target, 50) },
];

function wrongTable({ relationships }: Findings): TableBlock[] {
  return table('Wrong relationships', relationships.wrong, [
    ...EDGE,
    { key: 'kind', title: 'what is wrong' },
    { key: 'expected', unit: 'name', of: ({ expected }) => expected ?? '' },
    { key: 'unmatched', of: ({ unmatched = [] }) => unmatched },
    { key: 'count', title: 'times', unit: 'count' },
  ]);
}

function missedRelationshipsTable({ relationships, runs }: Findings): TableBlock[] {
  return table('Missed relationships', relationships.missed, [
    ...EDGE,
    { key: 'kind', title: 'why' },
    { key: 'runs', title: 'missed in runs', unit: 'count', of: (one) => ({ count: one.runs, of: runs }) },
    { key: 'evidence', title: 'text', of: ({ evidence }) => quoted(evidence) },
  ]);
}

function quotesTable({ quotes }: Findings): TableBlock[] {
  return table('Quotes that are not verified', quotes, [
    { key: 'label', title: 'concept', unit: 'name' },
    { key: 'kind', title: 'quote' },
    { key: 'quote', title: 'it quotes', of: ({ quote }) => quoted(quote) },
    { key: 'nearest', title: 'nearest passage', of: ({ nearest }) => quoted(nearest?.passage.text) },
    { key: 'differs', title: 'what differs', of: sayDifference },
    { key: 'count', title: 'times', unit: 'count' },
  ]);
}

function sayDifference({ nearest }: QuoteFault): string {
  if (nearest === undefined) return '';
  const { leftOut, added } = nearest;
  const parts = [
    ...(leftOut.length > 0 ? [`left out: ${leftOut.join(' ')}`] : []),
    ...(added.length > 0 ? [`added: ${added.join(' ')}`] : []),
  ];
  return parts.length === 0 ? 'case, punctuation or number' : quoted(parts.join('; '));
}

export function suspicionsTable({ suspicions }: Findings): TableBlock[] {
  return table('Golden case: to be checked', suspicions, [
    { key: 'kind', title: 'suspicion' },
    { key: 'label', title: 'concept', unit: 'name' },
    { key: 'why' },
  ]);
}

/** Each row: for the expected relationships with this predicate, the share extracted with each predicate. */
export function confusionChart(confusion: readonly Confusion[]): Block[] {
  const { rows, columns } = confusionAxes(confusion);
  const of = (row: string) =>
    confusion.filter(({ expected }) => expected === row).reduce((sum, { count }) => sum + count, 0);
  const cells = confusion.map(({ expected, extracted, count }) => ({
    row: expected,
    column: extracted,
    value: count / of(expected),
    text: `${count}/${of(expected)}`,
  }));
  if (cells.length === 0) return [];
  return [
    {
      kind: 'chart',
      chart: {
        kind: 'heatmap',
        title: titleOf(confusion),
        rows,
        columns,
        cells,
        legend: 'share of the row: expected predicate (row) extracted as (column)',
      },
    },
  ];
}

function titleOf(confusion: readonly Confusion[]): string {
  const most = confusion.find(
    ({ expected, extracted }) => expected !== extracted && extracted !== 'not extracted',
  );
  return most === undefined
    ? 'No predicate becomes another (row: expected, column: extracted)'
    : `${most.expected} most often becomes ${most.extracted} (row: expected, column: extracted)`;
}
