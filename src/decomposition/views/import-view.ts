import type { GoldenImport } from '../../operations/decomposition/import-golden.ts';
import { formatAmount } from '../../report/number.ts';
import { tableOf, type View } from '../../report/view.ts';

const LIMIT = 20;

export function importView({ folder, drafted, skipped, left }: GoldenImport): View {
  return {
    title: `Golden cases drafted in ${folder}`,
    answer: `${formatAmount(drafted.length, 'draft')} written, ${formatAmount(skipped.length, 'text')} skipped.`,
    blocks: [
      tableOf(
        'Drafts',
        drafted,
        [
          { key: 'id', title: 'case', unit: 'name' },
          { key: 'where', title: 'from' },
          { key: 'findings', title: 'lint findings', unit: 'count' },
        ],
        { limit: LIMIT },
      ),
      tableOf('Skipped', skipped, [{ key: 'where', title: 'text' }, { key: 'why' }], { limit: LIMIT }),
    ],
    notes: [
      'A draft is what a program proposes: correct it in the dashboard (Decomposition, golden cases) or in the file. No gate passes on a draft.',
      ...(left > 0
        ? [`${formatAmount(left, 'text')} more than the limit: give --limit to draft them too.`]
        : []),
    ],
    next: [
      { operation: 'serve' },
      { operation: 'decomposition lint', positionals: folder === 'golden' ? [] : [folder] },
    ],
  };
}
