import type { TableBlock } from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';
import { plain } from '../../report/unsafe-text.ts';
import { readAnswers } from '../../workflow/blind/answers.ts';
import { askPrediction, type Dialogue } from '../../workflow/blind/dialogue.ts';
import type { BlindSession } from '../../workflow/blind/folder.ts';
import { shownStatement } from '../../workflow/blind/material.ts';
import { evaluatorOf, missingFor } from '../../workflow/blind/protocol.ts';
import { type Submitted, showTruth, submit } from '../../workflow/blind/steps.ts';
import type { Command } from '../command.ts';
import { printDocument } from '../print-report.ts';
import {
  FOLDER,
  folderOf,
  isDialogue,
  STEP_OPTIONS,
  saySubmitted,
  whoOf,
  withDialogue,
} from './blind-options.ts';
import { shellWord } from './shell-word.ts';

export const command: Command = {
  name: 'workflow blind predict',
  summary: 'Step 2 of a blind evaluation: see the known errors and say which the review will have caught',
  positionals: FOLDER,
  options: STEP_OPTIONS,
  examples: [
    'assay workflow blind predict blind --by ada',
    'assay workflow blind predict blind --by ada --list --format json',
    'assay workflow blind predict blind --by ada --file predictions.json',
  ],
  run: async (args, terminal) => {
    const folder = folderOf(args);
    const who = whoOf(args, terminal);
    const { file } = args.values;
    const next = `assay workflow blind match ${shellWord(folder)} --by ${shellWord(who)}`;
    if (typeof file === 'string') {
      const result = submit(folder, who, 'predict', readAnswers('predict', file));
      terminal.print(saySubmitted(result, 'step 2', next));
      return 0;
    }
    // Refused until step 1 of this evaluator is sealed, and written down: from here on they know.
    const session = showTruth(folder, who);
    if (isDialogue(args)) {
      const result = await withDialogue(terminal, (talk) => predictAll(session, who, talk));
      terminal.print(result === undefined ? '' : saySubmitted(result, 'step 2', next));
      return 0;
    }
    const table = statementsTable(session);
    await printDocument(args, terminal, { errors: table.rows }, () => ({
      title: 'Step 2: will the review have caught it?',
      answer: `${formatAmount(table.rows.length, 'known error')}. Your assessments are sealed; a change from here on is recorded.`,
      blocks: [table],
      notes: ['For each: YES, MAYBE, NO or CANNOT_TELL, and why.'],
      next: [
        `assay workflow blind predict ${shellWord(folder)} --by ${shellWord(who)} --file predictions.json`,
      ],
    }));
    return 0;
  },
};

async function predictAll(
  session: BlindSession,
  who: string,
  talk: Dialogue,
): Promise<Submitted | undefined> {
  const { folder, material, state } = session;
  const open = missingFor(state, evaluatorOf(state, who), 'predict', 'all');
  let result = open.length === 0 ? submit(folder, who, 'predict', []) : undefined;
  const errors = material.truth.errors.filter(({ id }) => open.includes(id));
  for (const [index, error] of errors.entries()) {
    const { id, severity, category, description } = shownStatement(error);
    talk.say(
      `\n${index + 1} of ${errors.length}\n${plain(`${id}  ${severity} ${category}: ${description}`)}\n`,
    );
    const answer = await askPrediction(talk, id);
    if (answer === undefined) break;
    result = submit(folder, who, 'predict', [answer]);
  }
  return result;
}

function statementsTable({ material }: BlindSession): TableBlock {
  return {
    kind: 'table',
    title: 'Known errors',
    limit: 10,
    columns: [
      { key: 'id', header: 'error', style: 'name' },
      { key: 'severity', header: 'severity', style: 'text' },
      { key: 'category', header: 'category', style: 'text' },
      { key: 'description', header: 'statement', style: 'text' },
    ],
    rows: material.truth.errors.map(shownStatement),
  };
}
