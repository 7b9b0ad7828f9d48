import type { Document } from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';
import type { DraftedTruth } from '../draft-truth.ts';

/** What was proposed, and what is left to a person. */
export function truthDraftDocument({ path, review, truth, guessed }: DraftedTruth): Document {
  return {
    title: `Draft of ${truth.task}`,
    answer: `${path} is a draft with ${formatAmount(truth.errors.length, 'error')}. Correct it, then delete its "draft" line: no gate passes on a draft.`,
    blocks: [],
    notes: [
      `They are what ${review} reports. A review that is measured against its own findings is always right: add what it missed, and traps.`,
      ...(guessed > 0
        ? [
            `${formatAmount(guessed, 'finding')} had no severity or no category and got IMPORTANT or the first category.`,
          ]
        : []),
    ],
    next: [{ operation: 'workflow lint', positionals: [path] }],
  };
}
