import { exportFindings } from '../../operations/workflow/export-findings.ts';
import { escapeJson } from '../../report/unsafe-text.ts';
import { exportNotes, tooFewNote } from '../../workflow/views/next-steps.ts';
import { CONFIG_OPTION, defineCommand } from '../command.ts';
import { ARMS_OPTIONS, ARMS_USAGE, inputsWithMatching } from './options.ts';

export const command = defineCommand({
  name: 'workflow export',
  summary: 'Write the confirmed findings of a workflow as SARIF: correct, and in more than half of the runs',
  positionals: { usage: ARMS_USAGE, max: Number.POSITIVE_INFINITY },
  options: {
    ...ARMS_OPTIONS,
    ...CONFIG_OPTION,
    task: { type: 'text', value: 'NAME', doc: 'Only this task' },
    format: { type: 'choice', choices: ['sarif'], default: 'sarif', doc: 'The format of the file' },
  },
  examples: [
    'assay workflow export examples/workflow --workflow review-2 --out findings.sarif',
    'assay workflow export examples/workflow --workflow review-1 --out findings.sarif',
  ],
  notes: [
    'A finding is confirmed when it matches a known error or an evaluator labelled it valid, and more than half of the runs have it.',
    'Exit codes: 0 written, also when no finding is confirmed; 2 too few runs to confirm anything, nothing is written; 3 could not run.',
  ],
  run: async (args, terminal) => {
    const { tooFew, exported } = exportFindings({
      inputs: await inputsWithMatching(args, terminal, 'workflow export'),
      workflow: args.values.workflow,
      task: args.values.task,
    });
    for (const arm of tooFew) terminal.note(`${tooFewNote(arm)}\n`);
    if (exported === undefined) return 2;
    terminal.print(`${escapeJson(JSON.stringify(exported.log, null, 2))}\n`);
    for (const note of exportNotes(exported)) terminal.note(`${note}\n`);
    return 0;
  },
});
