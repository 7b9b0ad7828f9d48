/** The view of the content of workflow files and their problems. */
import { dirname } from 'node:path';
import type { Action } from '../../report/action.ts';
import { formatAmount } from '../../report/number.ts';
import { type ListBlock, type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { Mapping } from '../ingest/mapping.ts';
import { categoryRows, type Inspection, LINT_LEVELS, type LintFinding } from '../lint/inspect.ts';
import { LABELS } from '../review.ts';
import { SEVERITIES } from '../truth.ts';
import { isPlainName } from './next-steps.ts';

/** Rows of a table before "and 12 more". */
const ROWS = 10;

/** Problems, most severe first. */
export function lintRows({
  findings,
  unreadable,
}: Inspection): (Omit<LintFinding, 'level'> & { readonly level: LintFinding['level'] | 'unreadable' })[] {
  return [
    ...unreadable.map(({ file, message, remedy }) => ({
      level: 'unreadable' as const,
      rule: 'unreadable',
      file,
      place: '',
      message: `${message}. ${remedy}`,
    })),
    ...LINT_LEVELS.flatMap((level) => findings.filter((finding) => finding.level === level)),
  ];
}

export function lintTable(inspection: Inspection): TableBlock {
  return tableOf('Findings', lintRows(inspection), [
    { key: 'level' },
    { key: 'file', unit: 'name' },
    { key: 'place' },
    { key: 'message', title: 'what it is' },
    { key: 'rule' },
  ]);
}

export function lintView(inspection: Inspection, all: boolean): View {
  const items = lintRows(inspection).map(({ level, file, place, message, rule }) =>
    // The message of an unreadable file already contains its name.
    level === 'unreadable' ? `${level}: ${message}` : `${level}: ${file}, ${place}: ${message} [${rule}]`,
  );
  const more = all ? 0 : items.length - ROWS;
  const shown = more > 0 ? [...items.slice(0, ROWS), `and ${more} more (--all)`] : items;
  const { truths, runs, authors, mappings } = inspection;
  return {
    title: 'Workflow files',
    answer: answerOf(inspection),
    blocks: [
      shown.length > 0 && { kind: 'list' as const, title: 'Findings', items: shown },
      ...(truths.length > 0 ? truthBlocks(inspection) : []),
      runs.length > 0 && runsTable(inspection),
      authors.length > 0 &&
        tableOf(
          'Labels by author',
          authors,
          [{ key: 'author' }, ...LABELS.map((key) => ({ key, unit: 'count' as const, of: countOf(key) }))],
          { limit: ROWS },
        ),
      mappings.length > 0 && mappingsTable(mappings),
    ].filter((block) => block !== false),
    notes: [
      ...inspection.notes,
      ...(inspection.findings.some(({ level }) => level === 'note')
        ? ['A note says what cannot be concluded; it does not fail.']
        : []),
    ],
    next: [nextOf(inspection)],
  };
}

/** `tableOf` cannot read properties with keys in capitals. */
function countOf<Key extends string>(key: Key): (row: Readonly<Record<Key, number>>) => number {
  return (row) => row[key];
}

/** Suggests scoring the first ground truth that has a run. */
function nextOf({ truths, runs, experiments }: Inspection): Action {
  const [experiment] = experiments;
  if (experiment !== undefined) return { operation: 'workflow report', positionals: [experiment.path] };
  for (const { path, truth } of truths) {
    const run = runs.find(({ task }) => task === truth.task);
    if (run?.path !== undefined && isPlainName(run.workflow))
      return {
        operation: 'workflow score',
        options: { truth: path, runs: dirname(run.path), workflow: run.workflow },
      };
  }
  return { operation: truths.length > 0 ? 'workflow score' : 'workflow new', options: { help: true } };
}

function answerOf({ truths, runs, findings, unreadable }: Inspection): string {
  const count = (level: string) => findings.filter((finding) => finding.level === level).length;
  const wrong = [
    unreadable.length > 0 && `${formatAmount(unreadable.length, 'file')} could not be read`,
    count('error') > 0 && formatAmount(count('error'), 'error'),
    count('warning') > 0 && formatAmount(count('warning'), 'warning'),
  ].filter((part) => part !== false);
  const what = [
    truths.length > 0 && formatAmount(truths.length, 'ground truth'),
    runs.length > 0 && formatAmount(runs.length, 'run'),
  ]
    .filter((part) => part !== false)
    .join(' and ');
  const notes = count('note') > 0 ? ` ${formatAmount(count('note'), 'note')}.` : '';
  if (wrong.length > 0) return `${wrong.join(', ')}${what === '' ? '' : ` in ${what}`}.${notes}`;
  return `${what} without a fault.${notes}`;
}

function truthBlocks({ truths }: Inspection): [ListBlock, TableBlock] {
  return [
    {
      kind: 'list',
      title: 'Ground truths',
      items: truths.map(
        ({ path, truth }) =>
          `${truth.task}, version ${truth.version}: ${formatAmount(truth.errors.length, 'error')}, ${formatAmount(truth.traps.length, 'trap')}, hash ${truth.hash.slice(0, 12)} (${path})`,
      ),
    },
    tableOf(
      'Errors',
      categoryRows(truths.map(({ truth }) => truth)),
      [
        { key: 'category' },
        ...SEVERITIES.map((key) => ({
          key,
          title: key.toLowerCase(),
          unit: 'count' as const,
          of: countOf(key),
        })),
        { key: 'all', unit: 'count' },
      ],
      { limit: ROWS },
    ),
  ];
}

function runsTable({ runs }: Inspection): TableBlock {
  return tableOf(
    'Runs',
    runs,
    [
      { key: 'workflow' },
      { key: 'task' },
      { key: 'run', unit: 'name' },
      { key: 'findings', unit: 'count', of: ({ findings }) => findings.length },
      {
        key: 'labelled',
        unit: 'count',
        of: ({ findings }) => findings.filter(({ labels }) => labels.length > 0).length,
      },
    ],
    { limit: ROWS },
  );
}

/** Translations are always shown, because a wrong mapping looks like a bad workflow. */
function mappingsTable(mappings: readonly Mapping[]): TableBlock {
  return tableOf(
    'How the values of other tools were read',
    mappings,
    [
      { key: 'field' },
      { key: 'from', title: 'value', unit: 'name' },
      { key: 'to', title: 'read as', of: ({ to = 'none' }) => to },
      { key: 'count', title: 'times', unit: 'count' },
      { key: 'because', title: 'why' },
    ],
    { limit: ROWS },
  );
}
