/** What is in workflow files and what is wrong with them, told to people. */
import { dirname } from 'node:path';
import type { Action } from '../../report/action.ts';
import { formatAmount } from '../../report/number.ts';
import type { Block, TableBlock, View } from '../../report/view.ts';
import type { Inspection } from '../lint/inspect.ts';
import { authorRows, categoryRows, LINT_LEVELS } from '../lint/inspect.ts';
import { LABELS } from '../review.ts';
import { SEVERITIES } from '../truth.ts';
import { isPlainName } from './next-steps.ts';

/** Rows of a table before "and 12 more". */
const ROWS = 10;

export function lintTable({ findings, unreadable }: Inspection): TableBlock {
  const rows = [
    ...unreadable.map(({ file, message, remedy }) => ({
      level: 'unreadable',
      rule: 'unreadable',
      file,
      place: '',
      message: `${message}. ${remedy}`,
    })),
    ...LINT_LEVELS.flatMap((level) => findings.filter((finding) => finding.level === level)),
  ];
  return {
    kind: 'table',
    title: 'Findings',
    limit: ROWS,
    columns: [
      { key: 'level', title: 'level', unit: 'text' },
      { key: 'file', title: 'file', unit: 'name' },
      { key: 'place', title: 'place', unit: 'text' },
      { key: 'message', title: 'what it is', unit: 'text' },
      { key: 'rule', title: 'rule', unit: 'text' },
    ],
    rows: rows.map(({ level, file, place, message, rule }) => ({ level, file, place, message, rule })),
  };
}

export function lintView(inspection: Inspection, all: boolean): View {
  const table = lintTable(inspection);
  const { findings, notes } = inspection;
  const items = table.rows.map(({ level, file, place, message, rule }) =>
    // The message of an unreadable file names it already.
    level === 'unreadable' ? `${level}: ${message}` : `${level}: ${file}, ${place}: ${message} [${rule}]`,
  );
  const shown =
    all || items.length <= ROWS
      ? items
      : [...items.slice(0, ROWS), `and ${items.length - ROWS} more (--all)`];
  return {
    title: 'Workflow files',
    answer: answerOf(inspection),
    blocks: [
      ...(shown.length === 0 ? [] : [{ kind: 'list' as const, title: 'Findings', items: shown }]),
      ...truthBlocks(inspection),
      ...runBlocks(inspection),
      ...mappingBlocks(inspection),
    ],
    notes: [
      ...notes,
      ...(findings.some(({ level }) => level === 'note')
        ? ['A note says what cannot be concluded; it does not fail.']
        : []),
    ],
    next: [nextOf(inspection)],
  };
}

/** The first ground truth that has a run beside it can be scored. */
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
    ...(unreadable.length > 0 ? [`${formatAmount(unreadable.length, 'file')} could not be read`] : []),
    ...(count('error') > 0 ? [formatAmount(count('error'), 'error')] : []),
    ...(count('warning') > 0 ? [formatAmount(count('warning'), 'warning')] : []),
  ];
  const what = [
    ...(truths.length > 0 ? [formatAmount(truths.length, 'ground truth')] : []),
    ...(runs.length > 0 ? [formatAmount(runs.length, 'run')] : []),
  ].join(' and ');
  const notes = count('note') > 0 ? ` ${formatAmount(count('note'), 'note')}.` : '';
  if (wrong.length > 0) return `${wrong.join(', ')}${what === '' ? '' : ` in ${what}`}.${notes}`;
  return `${what} without a fault.${notes}`;
}

function truthBlocks({ truths }: Inspection): Block[] {
  if (truths.length === 0) return [];
  return [
    {
      kind: 'list',
      title: 'Ground truths',
      items: truths.map(
        ({ path, truth }) =>
          `${truth.task}, version ${truth.version}: ${formatAmount(truth.errors.length, 'error')}, ${formatAmount(truth.traps.length, 'trap')}, hash ${truth.hash.slice(0, 12)} (${path})`,
      ),
    },
    {
      kind: 'table',
      title: 'Errors',
      limit: ROWS,
      columns: [
        { key: 'category', title: 'category', unit: 'text' },
        ...SEVERITIES.map((severity) => ({
          key: severity,
          title: severity.toLowerCase(),
          unit: 'count' as const,
        })),
        { key: 'all', title: 'all', unit: 'count' },
      ],
      rows: categoryRows(truths.map(({ truth }) => truth)),
    },
  ];
}

function runBlocks({ runs }: Inspection): Block[] {
  if (runs.length === 0) return [];
  const authors = authorRows(runs);
  return [
    {
      kind: 'table',
      title: 'Runs',
      limit: ROWS,
      columns: [
        { key: 'workflow', title: 'workflow', unit: 'text' },
        { key: 'task', title: 'task', unit: 'text' },
        { key: 'run', title: 'run', unit: 'name' },
        { key: 'findings', title: 'findings', unit: 'count' },
        { key: 'labelled', title: 'labelled', unit: 'count' },
      ],
      rows: runs.map(({ workflow, task, run, findings }) => ({
        workflow,
        task,
        run,
        findings: findings.length,
        labelled: findings.filter(({ labels }) => labels.length > 0).length,
      })),
    },
    ...(authors.length === 0
      ? []
      : [
          {
            kind: 'table' as const,
            title: 'Labels by author',
            limit: ROWS,
            columns: [
              { key: 'author', title: 'author', unit: 'text' as const },
              ...LABELS.map((label) => ({ key: label, title: label, unit: 'count' as const })),
            ],
            rows: authors,
          },
        ]),
  ];
}

/** What was translated is always shown: a wrong mapping looks like a wrong workflow. */
function mappingBlocks({ mappings }: Inspection): Block[] {
  if (mappings.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'How the values of other tools were read',
      limit: ROWS,
      columns: [
        { key: 'field', title: 'field', unit: 'text' },
        { key: 'from', title: 'value', unit: 'name' },
        { key: 'to', title: 'read as', unit: 'text' },
        { key: 'count', title: 'times', unit: 'count' },
        { key: 'because', title: 'why', unit: 'text' },
      ],
      rows: mappings.map(({ field, from, to = 'none', count, because }) => ({
        field,
        from,
        to,
        count,
        because,
      })),
    },
  ];
}
