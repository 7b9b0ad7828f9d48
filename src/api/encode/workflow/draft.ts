import type { z } from 'zod';
import type { DraftedTruth } from '../../../workflow/draft-truth.ts';
import type { workflowDraft } from '../../schema/workflow/draft.ts';

export function encodeTruthDraft({
  path,
  review,
  truth,
  guessed,
}: DraftedTruth): z.infer<typeof workflowDraft> {
  return {
    format: 'assay-workflow-draft',
    version: 1,
    path,
    review,
    task: truth.task,
    n_errors: truth.errors.length,
    n_guessed: guessed,
  };
}
