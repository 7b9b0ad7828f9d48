import { readLedger } from '../../decomposition/prompts/ledger.ts';
import { type SurveyedPrompt, surveyPrompts } from '../../decomposition/prompts/survey.ts';
import type { TableBlock } from '../../report/document.ts';
import { formatAmount, formatDate } from '../../report/number.ts';
import type { Command } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION, printTable } from '../print-report.ts';
import { folderToRead, PROMPTS_OPTION } from './prompt-folder.ts';

export const command: Command = {
  name: 'decomposition prompt list',
  summary: 'Every version of every prompt, which one is in force, and whether its file is as recorded',
  options: { prompts: PROMPTS_OPTION, format: FORMAT_OPTION, all: ALL_OPTION },
  examples: ['assay decomposition prompt list', 'assay decomposition prompt list --format json'],
  notes: ['Exit codes: 0 every file is as recorded, 1 one was changed or deleted or the ledger is broken.'],
  run: async (args, terminal) => {
    const folder = folderToRead(args, terminal);
    const ledger = readLedger(folder);
    const prompts = surveyPrompts(folder, ledger);
    const tampered = prompts.filter(({ file }) => file === 'changed' || file === 'deleted');
    const table: TableBlock = {
      kind: 'table',
      title: 'Prompts',
      columns: [
        { key: 'prompt', header: 'prompt', style: 'name' },
        { key: 'state', header: 'state', style: 'text' },
        { key: 'file', header: 'file', style: 'text' },
        { key: 'since', header: 'decided (UTC)', style: 'text' },
        { key: 'who', header: 'by', style: 'text' },
      ],
      rows: prompts.map(({ name, state, file, since, who }) => ({
        prompt: name,
        state,
        file,
        since: since === undefined ? '' : formatDate(since),
        who: who ?? '',
      })),
    };
    await printTable(args, terminal, table, () => ({
      title: `Prompts in ${folder}`,
      answer: answerOf(prompts, tampered, ledger.fault),
      blocks: prompts.length === 0 ? [] : [table],
      notes: tampered.map(
        ({ name, file }) =>
          `${name} was ${file} after it was decided on; restore it from version control, and make a new version for new words.`,
      ),
      next: ['assay decomposition prompt new NAME', 'assay decomposition prompt diff NAME'],
    }));
    if (ledger.fault !== undefined || tampered.length > 0) return 1;
    return prompts.length === 0 ? 2 : 0;
  },
};

function answerOf(
  prompts: readonly SurveyedPrompt[],
  tampered: readonly SurveyedPrompt[],
  fault: string | undefined,
): string {
  if (fault !== undefined) return `✗ The ledger is broken: ${fault}. What follows rests on the lines before.`;
  if (tampered.length > 0) {
    return `✗ ${tampered.map(({ name, file }) => `${name} was ${file}`).join(', ')} since the ledger recorded it.`;
  }
  const force = prompts.filter(({ state }) => state === 'in force').map(({ name }) => name);
  return `${formatAmount(prompts.length, 'version')}; in force: ${force.length === 0 ? 'none yet' : force.join(', ')}.`;
}
