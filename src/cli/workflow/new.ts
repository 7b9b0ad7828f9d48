import { encode } from '../../api/wire.ts';
import { draftGroundTruth } from '../../operations/workflow/draft-ground-truth.ts';
import { truthDraftView } from '../../workflow/views/next-steps.ts';
import { CONFIG_OPTION, DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';

export const command = defineCommand({
  name: 'workflow new',
  summary: 'Draft a ground truth from a review: its findings as errors to correct',
  positionals: { usage: 'TRUTH', min: 1, max: 1 },
  options: {
    review: {
      type: 'path',
      required: true,
      value: 'FILE',
      doc: 'The findings of one review, in any run format',
    },
    task: {
      type: 'text',
      value: 'NAME',
      doc: 'The name of the task (default: that of the review, or of the file)',
    },
    format: DOCUMENT_FORMAT_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay workflow new truth/checkout.yaml --review review.md'],
  notes: ['Never overwrites a file. No gate passes on a draft until you delete its "draft" line.'],
  run: async (args, terminal) => {
    const [truth = ''] = args.positionals;
    const { review, task } = args.values;
    const { categories } = (await readSettings(args, terminal)).config.workflow;
    const drafted = draftGroundTruth({ truth, review, categories, task });
    await printResult(args, terminal, {
      document: () => truthDraftView(drafted),
      json: async () => encode((await import('../../api/schema/workflow.ts')).workflowDraft, drafted),
    });
    return 0;
  },
});
