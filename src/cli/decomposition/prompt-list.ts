import { encode } from '../../api/wire.ts';
import { promptsTable, promptsView } from '../../decomposition/views/prompt-views.ts';
import { listPromptVersions } from '../../operations/decomposition/prompt-versions.ts';
import { plain } from '../../report/unsafe-text.ts';
import { ALL_OPTION, defineCommand, FORMAT_OPTION } from '../command.ts';
import { printResult } from '../print-result.ts';
import { PROMPTS_OPTION, promptsToRead } from './prompt-options.ts';

export const command = defineCommand({
  name: 'decomposition prompt list',
  summary: 'List every version of every prompt, which is in force, and whether its file is unchanged',
  options: { prompts: PROMPTS_OPTION, format: FORMAT_OPTION, all: ALL_OPTION },
  examples: ['assay decomposition prompt list', 'assay decomposition prompt list --format json'],
  notes: ['Exit codes: 0 every file is unchanged, 1 a file was changed or deleted or the ledger is broken.'],
  run: async (args, terminal) => {
    const survey = listPromptVersions(promptsToRead(args, terminal));
    await printResult(args, terminal, {
      document: () => promptsView(survey, args.given),
      json: async () => encode((await import('../../api/schema/prompts.ts')).promptList, survey),
      jsonl: async () => encode((await import('../../api/schema/prompts.ts')).promptList, survey).prompts,
      csv: () => promptsTable(survey),
    });
    // Rows have no place for it.
    if (survey.fault !== undefined && ['csv', 'jsonl'].includes(args.values.format ?? ''))
      terminal.note(`assay: the ledger is broken: ${plain(survey.fault)}\n`);
    if (survey.fault !== undefined || survey.tampered.length > 0) return 1;
    return survey.prompts.length === 0 ? 2 : 0;
  },
});
