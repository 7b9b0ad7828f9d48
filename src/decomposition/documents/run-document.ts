import type { Verdict } from '../../judge/verdict.ts';
import { metricKey } from '../../measure/metric.ts';
import type { Action } from '../../report/action.ts';
import {
  type Block,
  type Cell,
  type Column,
  type Document,
  plainValue,
  type Row,
  type TableBlock,
} from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';
import { actionText } from '../../report/regression-words.ts';
import { styleOf } from '../../report/text-table.ts';
import { verdictDocument } from '../../report/verdict-document.ts';
import type { SuiteRun } from '../suite-run.ts';
import { runNotes } from './run-notes.ts';

/** What a person reads about a run of the golden cases. */
export function runDocument(run: SuiteRun, next: readonly Action[] = []): Document {
  const { verdict, regression } = run;
  const told = { ...verdict, notes: runNotes(run) };
  const document = withoutEmpty(verdictDocument(told, next), verdict);
  const { blocks } = document;
  const after = (kind: Block['kind']) => blocks.findIndex((block) => block.kind === kind) + 1;
  const levels = run.levels === undefined ? undefined : levelsTable(verdict, run.levels);
  const same = levels?.rows.length === 0 ? ['Semantic matching recognises nothing more in this run.'] : [];
  const at = after('changes') || after('metrics');
  return {
    ...document,
    answer:
      regression === undefined
        ? document.answer
        : `${document.answer} Action: ${actionText(regression.action)}.`,
    blocks: [
      ...blocks.slice(0, at),
      ...inventedList(run),
      ...caseTable(run),
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
function inventedList({ evidence }: SuiteRun): Block[] {
  const items = Iterator.from(evidence ?? []).flatMap(([id, { trials }]) => {
    const canaries = trials.flatMap(({ concepts }) => concepts.flatMap(({ canary }) => canary ?? []));
    const edges = trials.flatMap(({ relationships }) =>
      relationships
        .filter(({ forbidden }) => forbidden)
        .map((one) => `${one.source} ${one.predicate} ${one.target}`),
    );
    const named = [...new Set([...canaries, ...edges])];
    return named.length === 0 ? [] : [`${id}: ${named.join('; ')}`];
  });
  const invented = [...items];
  return invented.length === 0
    ? []
    : [{ kind: 'list', title: 'Invented: canaries and forbidden relationships', items: invented }];
}

/** Only what the level changes; where it changes nothing a note says so. */
function levelsTable(verdict: Verdict, levels: NonNullable<SuiteRun['levels']>): TableBlock {
  const names = Object.keys(levels);
  const rows = verdict.metrics.map(({ title, unit }, i): Row => {
    const at = names.map((name): [string, Cell] => {
      const measurement = levels[name]?.[i]?.measurement;
      return [name, measurement?.measured ? { value: measurement.value, style: styleOf(unit) } : undefined];
    });
    return { metric: title, ...Object.fromEntries(at) };
  });
  return {
    kind: 'table',
    title: 'At match level',
    columns: [
      { key: 'metric', header: 'metric', style: 'text' },
      ...names.map((name): Column => ({ key: name, header: name, style: 'text' })),
    ],
    rows: rows.filter((row) => new Set(names.map((name) => plainValue(row[name]))).size > 1),
  };
}

const CASE_ROWS = 10;
const OVERALL = 'decomposition/overall';

/** Which cases moved, worst first; the other metrics stand in JSON. */
function caseTable({ verdict, regression }: SuiteRun): TableBlock[] {
  const changes = regression?.caseChanges ?? [];
  if (changes.length === 0) return [];
  const moved = changes.filter(({ changes: ofCase }) =>
    Object.values(ofCase).some(({ size }) => size !== 'unchanged'),
  );
  const same = changes.length - moved.length;
  if (moved.length === 0) return [];
  const shown = SHOWN.flatMap((key) => verdict.metrics.find(({ id }) => metricKey(id) === key) ?? []);
  return [
    {
      kind: 'table',
      title: `Change by case, in points (positive is better)${same > 0 ? `; ${formatAmount(same, 'other')} unchanged` : ''}`,
      columns: [
        { key: 'case', header: 'case', style: 'name' },
        { key: 'judged', header: 'overall', style: 'text' },
        ...shown.map(
          ({ id, title }): Column => ({ key: id, header: HEADERS[metricKey(id)] ?? title, style: 'count' }),
        ),
      ],
      limit: CASE_ROWS,
      rows: moved
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
