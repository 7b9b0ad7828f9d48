import type { Verdict } from '../../judge/verdict.ts';
import { metricKey } from '../../measure/metric.ts';
import type { Block, Column, Document, Row, TableBlock } from '../../report/document.ts';
import { type Format, renderDocument, renderVerdict } from '../../report/format.ts';
import { formatMeasurement } from '../../report/number.ts';
import { escapeJson } from '../../report/unsafe-text.ts';
import { verdictDocument } from '../../report/verdict-document.ts';
import type { Arguments, Terminal } from '../command.ts';
import { writeResult } from '../write-result.ts';
import type { MeasuredRun } from './measure-run.ts';
import { textOf } from './run-options.ts';

export type Printed = Pick<MeasuredRun, 'verdict' | 'extras' | 'next'> & { readonly json: () => object };

/** People get the document, programs the data, CI its report; `--out` writes it to a file instead. */
export async function printRun(
  args: Arguments,
  terminal: Terminal,
  run: Printed,
  shape: (document: Document) => Document = (document) => document,
): Promise<void> {
  const format = args.values.format as Format;
  const options = {
    width: terminal.width,
    colour: terminal.colour && !textOf(args, 'out'),
    all: args.values.all === true,
    next: run.next,
  };
  if (format === 'json') return emit(args, terminal, `${escapeJson(JSON.stringify(run.json(), null, 2))}\n`);
  if (format === 'table' || format === 'markdown' || format === 'html') {
    return emit(args, terminal, await renderDocument(shape(runDocument(run)), format, options));
  }
  emit(args, terminal, await renderVerdict(run.verdict, format, options));
}

/** To the file that was named, else to standard output. */
export function emit(args: Arguments, terminal: Terminal, text: string): void {
  const out = textOf(args, 'out');
  if (out === undefined) terminal.print(text);
  else {
    writeResult(out, text);
    terminal.note(`Written to ${out}.\n`);
  }
}

export function runDocument({ verdict, extras, next }: Printed): Document {
  const document = withoutEmpty(verdictDocument(verdict, next), verdict);
  const { blocks } = document;
  const after = (kind: Block['kind']) => blocks.findIndex((block) => block.kind === kind) + 1;
  const levels = extras.levels === undefined ? undefined : levelsTable(verdict, extras.levels);
  const same = levels?.rows.length === 0 ? ['Semantic matching recognises nothing more in this run.'] : [];
  const at = after('changes') || after('metrics');
  return {
    ...document,
    answer: extras.action === undefined ? document.answer : `${document.answer} Action: ${extras.action}.`,
    blocks: [
      ...blocks.slice(0, at),
      ...inventedList(extras),
      ...caseTable(verdict, extras),
      ...(levels?.rows.length ? [levels] : []),
      ...blocks.slice(at),
    ],
    notes: [...same, ...document.notes],
  };
}

/** Where no case was measured a list of metrics without values, and why each has none, says nothing new. */
function withoutEmpty(document: Document, { validity, metrics }: Verdict): Document {
  if (validity.cases > 0) return document;
  return {
    ...document,
    blocks: document.blocks.filter(({ kind }) => kind !== 'metrics'),
    notes: document.notes.filter(
      (note) => !metrics.some(({ title }) => note.startsWith(`${title} is unmeasured`)),
    ),
  };
}

/** What a warning about canaries is about. */
function inventedList({ evidence }: Printed['extras']): Block[] {
  const items = [...(evidence ?? [])].flatMap(([id, { trials }]) => {
    const canaries = trials.flatMap(({ concepts }) => concepts.flatMap(({ canary }) => canary ?? []));
    const edges = trials.flatMap(({ relationships }) =>
      relationships
        .filter(({ forbidden }) => forbidden)
        .map((one) => `${one.source} ${one.predicate} ${one.target}`),
    );
    const named = [...new Set([...canaries, ...edges])];
    return named.length === 0 ? [] : [`${id}: ${named.join('; ')}`];
  });
  return items.length === 0
    ? []
    : [{ kind: 'list', title: 'Invented: canaries and forbidden relationships', items }];
}

/** Only what the level changes; where it changes nothing a note says so. */
function levelsTable(verdict: Verdict, levels: NonNullable<Printed['extras']['levels']>): TableBlock {
  const names = Object.keys(levels);
  const rows = verdict.metrics.map(
    ({ title, unit }, i): Row => ({
      metric: title,
      ...Object.fromEntries(
        names.map((name) => {
          const judged = levels[name]?.[i];
          return [name, judged === undefined ? undefined : formatMeasurement(judged.measurement, unit)];
        }),
      ),
    }),
  );
  return {
    kind: 'table',
    title: 'At match level',
    columns: [
      { key: 'metric', header: 'metric', style: 'text' },
      ...names.map((name): Column => ({ key: name, header: name, style: 'text' })),
    ],
    rows: rows.filter((row) => new Set(names.map((name) => row[name])).size > 1),
  };
}

const CASE_ROWS = 10;
const OVERALL = 'decomposition/overall';

/** Which cases moved, worst first; the other metrics stand in JSON. */
function caseTable(verdict: Verdict, extras: Printed['extras']): TableBlock[] {
  const changes = extras.caseChanges ?? [];
  if (changes.length === 0) return [];
  const shown = SHOWN.flatMap((key) => verdict.metrics.find(({ id }) => metricKey(id) === key) ?? []);
  return [
    {
      kind: 'table',
      title: 'Change by case, in points (positive is better)',
      columns: [
        { key: 'case', header: 'case', style: 'name' },
        { key: 'judged', header: 'overall', style: 'text' },
        ...shown.map(
          ({ id, title }): Column => ({ key: id, header: HEADERS[metricKey(id)] ?? title, style: 'count' }),
        ),
      ],
      limit: CASE_ROWS,
      rows: changes
        .toSorted((a, b) => pointsOf(a.changes) - pointsOf(b.changes))
        .map(
          ({ id, changes: ofCase }): Row => ({
            case: id,
            judged: ofCase[OVERALL]?.size,
            ...Object.fromEntries(shown.map((metric) => [metric.id, ofCase[metric.id]?.points])),
          }),
        ),
    },
  ];
}

const HEADERS: Readonly<Record<string, string>> = {
  overall: 'points',
  concept_recall: 'recall',
  concept_precision: 'precision',
  relationship_accuracy: 'relationships',
};
const SHOWN = Object.keys(HEADERS);

function pointsOf(changes: Readonly<Record<string, { readonly points?: number }>>): number {
  return changes[OVERALL]?.points ?? Number.NEGATIVE_INFINITY;
}
