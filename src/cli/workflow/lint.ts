import { dirname } from 'node:path';
import { AssayError } from '../../errors.ts';
import type { Block, Document, TableBlock } from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';
import { readMapping } from '../../workflow/ingest/read-mapping.ts';
import { authorRows, categoryRows } from '../../workflow/lint/count-contents.ts';
import { type Inspection, inspect } from '../../workflow/lint/inspect.ts';
import { LINT_LEVELS } from '../../workflow/lint/lint-finding.ts';
import { LABELS } from '../../workflow/review.ts';
import { SEVERITIES } from '../../workflow/truth.ts';
import type { Arguments, Command } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION, printDocument, printTable } from '../print-report.ts';
import { shellWord } from './shell-word.ts';

export const command: Command = {
  name: 'workflow lint',
  summary: 'Check ground truths, runs and experiments, and say what is in them',
  positionals: { usage: 'FILE…', max: 10_000 },
  options: {
    documents: {
      type: 'string',
      value: 'DIR',
      doc: 'The reviewed documents; quotes and lines are looked up in them',
    },
    'min-errors': { type: 'string', value: 'N', doc: 'Warn about a ground truth with fewer errors' },
    mapping: {
      type: 'string',
      value: 'FILE',
      doc: 'Severities and categories of other tools (JSON or YAML)',
    },
    as: {
      type: 'string',
      choices: ['truth', 'run'],
      doc: 'What a file is whose format holds either (default: told by its content)',
    },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
  },
  examples: [
    'assay workflow lint examples/workflow',
    'assay workflow lint examples/workflow/truth/webhook-relay.yaml --documents examples/workflow/documents',
    'assay workflow lint examples/workflow/truth examples/workflow/runs --format json',
  ],
  run: async (args, terminal) => {
    if (args.positionals.length === 0) {
      throw new AssayError('USAGE', 'assay workflow lint: name a ground truth, a run or an experiment');
    }
    const inspection = inspect(args.positionals, optionsOf(args));
    const table = findingsTable(inspection);
    const { format, all } = args.values;
    const document = () => documentOf(inspection, table, all === true);
    if (format === 'csv' || format === 'jsonl') await printTable(args, terminal, table, document);
    else await printDocument(args, terminal, dataOf(inspection), document);
    if (inspection.unreadable.length > 0) return 3;
    return inspection.findings.some(({ level }) => level !== 'note') ? 1 : 0;
  },
};

/** Rows of a table before "and 12 more". */
const ROWS = 10;

function optionsOf({ values }: Arguments) {
  const { documents, mapping, as, 'min-errors': min } = values;
  const minErrors = min === undefined ? undefined : Number(min);
  if (minErrors !== undefined && !(Number.isSafeInteger(minErrors) && minErrors >= 0)) {
    throw new AssayError('USAGE', `assay workflow lint: --min-errors is a whole number, not "${min}"`);
  }
  return {
    ...(typeof documents === 'string' && { documents }),
    ...(minErrors !== undefined && { minErrors }),
    ...(typeof mapping === 'string' && { maps: readMapping(mapping) }),
    ...((as === 'truth' || as === 'run') && { as: as as 'truth' | 'run' }),
  };
}

function findingsTable({ findings, unreadable }: Inspection): TableBlock {
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
      { key: 'level', header: 'level', style: 'text' },
      { key: 'file', header: 'file', style: 'name' },
      { key: 'place', header: 'place', style: 'text' },
      { key: 'message', header: 'what it is', style: 'text' },
      { key: 'rule', header: 'rule', style: 'text' },
    ],
    rows: rows.map(({ level, file, place, message, rule }) => ({ level, file, place, message, rule })),
  };
}

function dataOf({ truths, runs, experiments, findings, mappings, notes, unreadable }: Inspection) {
  return {
    experiments,
    truths: truths.map(({ path, truth }) => ({
      file: path,
      task: truth.task,
      version: truth.version,
      hash: truth.hash,
      errors: truth.errors.length,
      traps: truth.traps.length,
      categories: categoryRows([truth]),
    })),
    runs: runs.map(({ path, workflow, task, run, findings: own }) => ({
      file: path,
      workflow,
      task,
      run,
      findings: own.length,
      labels: own.flatMap(({ labels }) => labels).length,
    })),
    labels: authorRows(runs),
    mappings,
    notes,
    unreadable,
    findings,
  };
}

function documentOf(inspection: Inspection, table: TableBlock, all: boolean): Document {
  const { truths, runs, findings, notes } = inspection;
  const items = table.rows.map(({ level, file, place, message, rule }) =>
    // The message of an unreadable file names it already.
    level === 'unreadable' ? `${level}: ${message}` : `${level}: ${file}, ${place}: ${message} [${rule}]`,
  );
  const shown =
    all || items.length <= ROWS
      ? items
      : [...items.slice(0, ROWS), `and ${items.length - ROWS} more (--all)`];
  const [truth, run] = [truths[0]?.path, runs[0]?.path];
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
    next:
      truth === undefined || run === undefined
        ? ['assay workflow lint --help']
        : [`assay workflow score --truth ${shellWord(truth)} --runs ${shellWord(dirname(run))}`],
  };
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
        { key: 'category', header: 'category', style: 'text' },
        ...SEVERITIES.map((severity) => ({
          key: severity,
          header: severity.toLowerCase(),
          style: 'count' as const,
        })),
        { key: 'all', header: 'all', style: 'count' },
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
        { key: 'workflow', header: 'workflow', style: 'text' },
        { key: 'task', header: 'task', style: 'text' },
        { key: 'run', header: 'run', style: 'name' },
        { key: 'findings', header: 'findings', style: 'count' },
        { key: 'labelled', header: 'labelled', style: 'count' },
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
              { key: 'author', header: 'author', style: 'text' as const },
              ...LABELS.map((label) => ({ key: label, header: label, style: 'count' as const })),
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
        { key: 'field', header: 'field', style: 'text' },
        { key: 'from', header: 'value', style: 'name' },
        { key: 'to', header: 'read as', style: 'text' },
        { key: 'count', header: 'times', style: 'count' },
        { key: 'because', header: 'why', style: 'text' },
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
