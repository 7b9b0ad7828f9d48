import type { InitResult } from '../operations/init/init-project.ts';
import type { Action } from '../report/action.ts';
import type { Block, Document } from '../report/document.ts';
import { formatAmount } from '../report/number.ts';

/** What was written, what was left alone, and what comes next. */
export function initDocument(result: InitResult): Document {
  const { written, kept, draft, found } = result;
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
      ...(found.promptfoo === undefined
        ? []
        : [`${found.promptfoo}: promptfoo eval -o results.json writes what --outputs results.json reads.`]),
      ...(written.includes('.gitlab/assay.gitlab-ci.yml')
        ? ['Add it to .gitlab-ci.yml: its first lines say how.']
        : []),
    ],
    next: nextOf(result),
  };
}

function listOf(title: string, items: readonly string[]): Block[] {
  return items.length === 0 ? [] : [{ kind: 'list', title, items: [...items] }];
}

function nextOf({ measured, draft, found, first }: InitResult): Action[] {
  if (measured === 'sessions') return [{ operation: 'sessions score' }];
  if (measured === 'workflow')
    return found.truths
      ? [{ operation: 'workflow lint', positionals: ['truth'] }]
      : [{ operation: 'workflow new', options: { help: true } }];
  if (draft === undefined && found.golden === 0) {
    return first === undefined
      ? [{ operation: 'decomposition new', options: { help: true } }, { operation: 'example' }]
      : [{ operation: 'decomposition new', positionals: [first.id], options: { text: first.text } }];
  }
  return [{ operation: 'decomposition lint' }, { operation: 'decomposition run' }];
}
