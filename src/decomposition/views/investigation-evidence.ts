/** The evidence of an investigation as tables and a chart. */

import { shortenEnd } from '../../report/text.ts';
import {
  type Block,
  type CellUnit,
  type Column,
  type Fraction,
  plainValue,
  type Row,
  type TableBlock,
} from '../../report/view.ts';
import type { Edge } from '../evidence.ts';
import type { Findings } from '../investigate/findings.ts';
import type { QuoteFault } from '../investigate/provenance.ts';
import { type Confusion, confusionAxes } from '../investigate/relationships.ts';
import type { Passage } from '../investigate/text-index.ts';

const ROWS = 10;
const LONGEST_QUOTE = 100;

function column(key: string, title: string, unit: CellUnit = 'text'): Column {
  return { key, title, unit };
}

/** Of one run everything was seen once: then a column that says so is left out, as is one without a word in it. */
function table(title: string, columns: readonly Column[], rows: readonly Row[]): TableBlock[] {
  if (rows.length === 0) return [];
  const isTold = ({ key }: Column) =>
    !(
      (key === 'count' && rows.every((row) => row.count === 1)) ||
      (key === 'runs' && rows.every((row) => (row.runs as Fraction).of === 1)) ||
      rows.every((row) => plainValue(row[key]) === '')
    );
  return [{ kind: 'table', title, columns: columns.filter(isTold), rows, limit: ROWS }];
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

/** In so many of the runs. */
function times({ runs }: Findings, inRuns: number): Fraction {
  return { count: inRuns, of: runs };
}

function missedTable(findings: Findings): TableBlock[] {
  return table(
    'Missed concepts',
    [
      column('label', 'concept', 'name'),
      column('kind', 'in the text'),
      column('required', 'required', 'name'),
      column('runs', 'missed in runs', 'count'),
      column('near', 'extracted instead', 'name'),
      column('nearness', 'because'),
      column('place', 'at', 'count'),
      column('sentence', 'the text says'),
    ],
    findings.missed.map((one) => ({
      label: one.label,
      required: one.required ? 'yes' : 'no',
      kind: one.kind === 'stated under an alias' ? `stated as "${one.name}"` : one.kind,
      near: one.nearest?.label ?? '',
      nearness: one.nearest?.why ?? '',
      runs: times(findings, one.runs),
      place: one.passage === undefined ? '' : { from: one.passage.from, to: one.passage.to },
      sentence: sentenceOf(one.passage),
    })),
  );
}

function sentenceOf(passage: Passage | undefined): string {
  return passage === undefined ? '' : shortenEnd(passage.sentence, LONGEST_QUOTE);
}

function extrasTable(findings: Findings): TableBlock[] {
  return table(
    'Unexpected concepts',
    [
      column('label', 'concept', 'name'),
      column('kind', 'what it is'),
      column('why', 'why'),
      column('count', 'times', 'count'),
      column('runs', 'in runs', 'count'),
    ],
    findings.extras.map((one) => ({
      label: one.label,
      kind: one.kind,
      why:
        one.canary !== undefined
          ? `forbidden as ${one.canary}`
          : one.near === undefined
            ? sentenceOf(one.passage)
            : `${one.near.expected}: ${one.near.why}`,
      count: one.count,
      runs: times(findings, one.runs),
    })),
  );
}

function duplicatesTable({ duplicates }: Findings): TableBlock[] {
  return table(
    'Duplicates',
    [
      column('expected', 'concept', 'name'),
      column('labels', 'extracted again as'),
      column('count', 'times', 'count'),
    ],
    duplicates.map(({ expected, labels, count }) => ({
      expected,
      labels: shortenEnd(labels.slice(0, ROWS).join(', '), LONGEST_QUOTE),
      count,
    })),
  );
}

const EDGE = [
  column('source', 'from', 'name'),
  column('predicate', 'relationship', 'name'),
  column('target', 'to', 'name'),
];

function edgeCells({ source, predicate, target }: Edge): Row {
  return { source: shortenEnd(source, 50), predicate, target: shortenEnd(target, 50) };
}

function wrongTable({ relationships }: Findings): TableBlock[] {
  return table(
    'Wrong relationships',
    [
      ...EDGE,
      column('kind', 'what is wrong'),
      column('expected', 'expected', 'name'),
      column('unmatched', 'unmatched'),
      column('count', 'times', 'count'),
    ],
    relationships.wrong.map(({ kind, expected, unmatched = [], count, ...edge }) => ({
      ...edgeCells(edge),
      kind,
      expected: expected ?? '',
      unmatched,
      count,
    })),
  );
}

function missedRelationshipsTable(findings: Findings): TableBlock[] {
  return table(
    'Missed relationships',
    [
      ...EDGE,
      column('kind', 'why'),
      column('runs', 'missed in runs', 'count'),
      column('evidence', 'the text says'),
    ],
    findings.relationships.missed.map(({ kind, runs, evidence, ...edge }) => ({
      ...edgeCells(edge),
      kind,
      runs: times(findings, runs),
      evidence: shortenEnd(evidence ?? '', LONGEST_QUOTE),
    })),
  );
}

function quotesTable({ quotes }: Findings): TableBlock[] {
  return table(
    'Quotes that are not verified',
    [
      column('label', 'concept', 'name'),
      column('kind', 'quote'),
      column('quote', 'it quotes'),
      column('nearest', 'nearest passage'),
      column('differs', 'what differs'),
      column('count', 'times', 'count'),
    ],
    quotes.map((fault) => ({
      label: fault.label,
      kind: fault.kind,
      quote: shortenEnd(fault.quote ?? '', LONGEST_QUOTE),
      nearest: fault.nearest === undefined ? '' : shortenEnd(fault.nearest.passage.text, LONGEST_QUOTE),
      differs: sayDifference(fault),
      count: fault.count,
    })),
  );
}

function sayDifference({ nearest }: QuoteFault): string {
  if (nearest === undefined) return '';
  const { leftOut, added } = nearest;
  const parts = [
    ...(leftOut.length > 0 ? [`left out: ${leftOut.join(' ')}`] : []),
    ...(added.length > 0 ? [`added: ${added.join(' ')}`] : []),
  ];
  return parts.length === 0 ? 'case, punctuation or number' : shortenEnd(parts.join('; '), LONGEST_QUOTE);
}

export function suspicionsTable({ suspicions }: Findings): TableBlock[] {
  return table(
    'Golden case: to be checked',
    [column('kind', 'suspicion'), column('label', 'concept', 'name'), column('why', 'why')],
    suspicions.map(({ kind, label, why }) => ({ kind, label, why })),
  );
}

/** Each row: of what the golden case expects with this predicate, which share was extracted as what. */
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
