import { encodeTruthDraft } from '../../api/encode/workflow/draft.ts';
import { AssayError } from '../../errors.ts';
import { draftGroundTruth } from '../../operations/workflow/draft-ground-truth.ts';
import { truthDraftDocument } from '../../workflow/documents/draft.ts';
import { CONFIG_OPTION, type Command } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { textOf } from '../text-of.ts';
import { textsOf } from './review-request.ts';

export const command: Command = {
  name: 'workflow new',
  summary: 'Draft a ground truth from a review: its findings as errors to correct',
  positionals: { usage: 'TRUTH', max: 1 },
  options: {
    review: {
      type: 'string',
      value: 'FILE',
      doc: 'What one review found, in any format that is read as a run',
    },
    task: {
      type: 'string',
      value: 'NAME',
      doc: 'The name of the task (default: that of the review, or of the file)',
    },
    format: DOCUMENT_FORMAT_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay workflow new truth/checkout.yaml --review review.md'],
  notes: ['Never writes over a file. No gate passes on a draft until somebody has deleted its "draft" line.'],
  run: async (args, terminal) => {
    const [truth] = args.positionals;
    const review = textOf(args, 'review');
    if (truth === undefined || review === undefined)
      throw new AssayError('USAGE', 'assay workflow new needs the file to write and a review', {
        remedy: 'E.g. assay workflow new truth/relay.yaml --review review.md.',
      });
    const { config } = await readSettings(args, terminal);
    const { categories } = config.workflow;
    const drafted = draftGroundTruth({ truth, review, categories, ...textsOf(args, 'task') });
    await printResult(args, terminal, {
      document: () => truthDraftDocument(drafted),
      json: () => encodeTruthDraft(drafted),
    });
    return 0;
  },
};
