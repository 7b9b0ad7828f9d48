import { type InitResult, truthPathOf } from '../operations/init/init-project.ts';
import type { Action } from '../report/action.ts';
import type { Block, Document } from '../report/document.ts';
import { formatAmount } from '../report/number.ts';

/** What was written, what was left alone, and what comes next. */
export function initDocument(result: InitResult, transcripts?: string): Document {
  const { written, kept, draft, truth, found } = result;
  return {
    title: 'init',
    answer:
      written.length === 0
        ? 'Everything is there already.'
        : `${formatAmount(written.length, 'file')} written.`,
    blocks: [...listOf('Written', written), ...listOf('There already, left as it is', kept)],
    notes: [
      ...(draft === undefined
        ? []
        : [
            'The golden case is a draft: correct it, then delete its "draft" line. No gate passes on a draft.',
          ]),
      ...(truth === undefined
        ? []
        : [
            `The ground truth holds what one review found (${formatAmount(truth.truth.errors.length, 'error')}). It is a draft: correct it, add what the review missed, then delete its "draft" line. No gate passes on a draft.`,
          ]),
      ...(transcripts === undefined
        ? []
        : [`This machine has transcripts of ${transcripts}; assay alone scores them.`]),
      ...(found.promptfoo === undefined
        ? []
        : [`${found.promptfoo}: promptfoo eval -o results.json writes what --outputs results.json reads.`]),
      ...(written.includes('.gitlab/assay.gitlab-ci.yml')
        ? ['Name .gitlab/assay.gitlab-ci.yml in .gitlab-ci.yml: its first lines say how.']
        : []),
    ],
    next: nextOf(result),
  };
}

function listOf(title: string, items: readonly string[]): Block[] {
  return items.length === 0 ? [] : [{ kind: 'list', title, items: [...items] }];
}

function truthStep({ truths, review }: InitResult['found'], drafted: string | undefined): Action[] {
  const [there] = truths.map((name) => `truth/${name}`);
  const path = drafted ?? there;
  if (path !== undefined) return [{ operation: 'workflow lint', positionals: [path] }];
  return review === undefined
    ? [{ operation: 'workflow new', options: { help: true } }, { operation: 'example' }]
    : [{ operation: 'workflow new', positionals: [truthPathOf(review)], options: { review } }];
}

function nextOf({ measured, draft, truth, found, first }: InitResult): Action[] {
  if (measured === 'sessions') return [{ operation: 'sessions score' }, { operation: 'sessions list' }];
  if (measured === 'workflow')
    return truthStep(found, truth === undefined ? undefined : truthPathOf(truth.review));
  if (draft === undefined && found.golden === 0) {
    return first === undefined
      ? [{ operation: 'decomposition new', options: { help: true } }, { operation: 'example' }]
      : [{ operation: 'decomposition new', positionals: [first.id], options: { text: first.text } }];
  }
  return [{ operation: 'decomposition lint' }, { operation: 'decomposition run' }];
}
