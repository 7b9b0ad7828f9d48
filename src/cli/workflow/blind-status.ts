import type { Document, TableBlock } from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';
import { readSession } from '../../workflow/blind/folder.ts';
import { type Progress, progressOf, type StepProgress } from '../../workflow/blind/progress.ts';
import type { Command } from '../command.ts';
import { FORMAT_OPTION, printDocument, printTable } from '../print-report.ts';
import { FOLDER, folderOf } from './blind-options.ts';
import { shellWord } from './shell-word.ts';
import { snakeCase } from './snake-case.ts';

export const command: Command = {
  name: 'workflow blind status',
  summary: 'Who is at which step of a blind evaluation, and what is missing; no answers are shown',
  positionals: FOLDER,
  options: { format: FORMAT_OPTION },
  examples: ['assay workflow blind status blind', 'assay workflow blind status blind --format json'],
  run: async (args, terminal) => {
    const folder = folderOf(args);
    const progress = progressOf(readSession(folder));
    const table = tableOf(progress);
    const document = () => documentOf(progress, table, folder);
    if (args.values.format === 'json') await printDocument(args, terminal, snakeCase(progress), document);
    else await printTable(args, terminal, table, document);
    return 0;
  },
};

function tableOf({ evaluators }: Progress): TableBlock {
  return {
    kind: 'table',
    title: 'Evaluators',
    columns: [
      { key: 'name', header: 'evaluator', style: 'name' },
      { key: 'assess', header: '1 assess', style: 'text' },
      { key: 'predict', header: '2 predict', style: 'text' },
      { key: 'match', header: '3 match', style: 'text' },
      { key: 'next', header: 'next', style: 'text' },
    ],
    rows: evaluators.map(({ name, assess, predict, match, next }) => ({
      name,
      assess: say(assess),
      predict: say(predict),
      match: say(match),
      next: next ?? 'done',
    })),
  };
}

function say({ done, of, sealedIn }: StepProgress): string {
  return sealedIn === undefined ? `${done} of ${of}` : `sealed in entry ${sealedIn}`;
}

function documentOf(progress: Progress, table: TableBlock, folder: string): Document {
  const { evaluators, disputed, openedIn } = progress;
  const done = evaluators.filter(({ next }) => next === undefined).length;
  return {
    title: `Blind evaluation in ${folder}`,
    answer: `${formatAmount(evaluators.length, 'evaluator')}, ${done} done; ${formatAmount(progress.findings, 'finding')}, ${formatAmount(progress.errors, 'known error')}.${disputed === undefined ? '' : ` ${formatAmount(disputed.length, 'disputed finding')}.`}`,
    blocks: evaluators.length === 0 ? [] : [table],
    notes: [
      ...(disputed === undefined || disputed.length === 0
        ? []
        : [
            `A further evaluator settles: ${disputed.slice(0, 10).join(', ')}${disputed.length > 10 ? ` and ${disputed.length - 10} more` : ''}.`,
          ]),
      ...(openedIn === undefined
        ? []
        : [`The results were opened in entry ${openedIn}; nothing can be added.`]),
      `Entry ${progress.entries}, head ${progress.head.slice(0, 12)}, ground truth ${progress.truthHash.slice(0, 12)}.`,
    ],
    next: [nextOf(progress, shellWord(folder))],
  };
}

/** The next step of the first who is not done; disputes wait for somebody new. */
function nextOf({ evaluators, disputed = [], openedIn }: Progress, folder: string): string {
  const waiting = evaluators.find(({ next }) => next !== undefined);
  if (openedIn === undefined && waiting !== undefined)
    return `assay workflow blind ${waiting.next} ${folder} --by ${shellWord(waiting.name)}`;
  const open = evaluators.length === 0 || (openedIn === undefined && disputed.length > 0);
  return `assay workflow blind ${open ? `assess ${folder} --by NAME` : `check ${folder}`}`;
}
