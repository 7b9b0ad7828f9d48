import { encode } from '../../api/wire.ts';
import { importPullRequest } from '../../operations/workflow/import-pull-request.ts';
import { importedPullRequestView } from '../../workflow/views/next-steps.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { printResult } from '../print-result.ts';

export const command = defineCommand({
  name: 'workflow import pr',
  summary: 'Fetch the comments of a pull request as a run file, through your own gh',
  positionals: { usage: 'OWNER/REPO#NUMBER', min: 1, max: 1 },
  options: {
    out: { type: 'path', required: true, value: 'FILE', doc: 'The run file to write (JSON)' },
    format: DOCUMENT_FORMAT_OPTION,
  },
  examples: ['assay workflow import pr octo/shop#12 --out runs/reviewer/T1/1.json'],
  notes: ['gh uses its own login; Assay neither asks for a token nor stores one. Never overwrites a file.'],
  run: async (args, terminal) => {
    const [pullRequest = ''] = args.positionals;
    const imported = importPullRequest({ pullRequest, path: args.values.out, environment: terminal.env });
    await printResult(args, terminal, {
      document: () => importedPullRequestView(imported),
      json: async () => encode((await import('../../api/schema/workflow.ts')).importedPullRequest, imported),
    });
    return 0;
  },
});
