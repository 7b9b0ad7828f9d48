import { encode } from '../../api/wire.ts';
import { statusOfBlind } from '../../operations/workflow/blind.ts';
import { statusTable, statusView } from '../../workflow/views/blind-check.ts';
import { defineCommand, FORMAT_OPTION } from '../command.ts';
import { listWith, printResult } from '../print-result.ts';
import { FOLDER, folderOf } from './blind-options.ts';

export const command = defineCommand({
  name: 'workflow blind status',
  summary: 'Show the step of each evaluator in a blind evaluation and what is missing, without answers',
  positionals: FOLDER,
  options: { format: FORMAT_OPTION },
  examples: ['assay workflow blind status blind', 'assay workflow blind status blind --format json'],
  run: async (args, terminal) => {
    const folder = folderOf(args);
    const progress = statusOfBlind(folder);
    await printResult(args, terminal, {
      ...listWith(
        async () => encode((await import('../../api/schema/workflow-blind.ts')).blindStatus, progress),
        'evaluators',
        statusTable(progress),
      ),
      document: () => statusView(progress, folder),
    });
    return 0;
  },
});
