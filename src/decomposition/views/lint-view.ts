import type { Action } from '../../report/action.ts';
import { formatAmount } from '../../report/number.ts';
import { type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { GoldenLint, SuiteFinding } from '../golden/lint-suite.ts';

export function lintTable({ findings }: GoldenLint): TableBlock {
  return tableOf('Findings', findings, [
    { key: 'severity', of: ({ warning }) => (warning ? 'warning' : 'error') },
    { key: 'file', unit: 'name' },
    { key: 'rule' },
    { key: 'place' },
    { key: 'message', title: 'what is wrong' },
  ]);
}

export function lintView(lint: GoldenLint): View {
  const { folder, cases, domains, findings, yours, drafts, isPart } = lint;
  const errors = findings.filter(({ warning }) => !warning);
  const warnings = findings.filter(({ warning }) => warning);
  const warned = warnings.length === 0 ? '' : `, with ${formatAmount(warnings.length, 'warning')}`;
  return {
    title: `Golden cases in ${folder}`,
    answer:
      errors.length === 0
        ? `${formatAmount(cases, 'case')} ${cases === 1 ? 'follows' : 'follow'} every rule${yours ? ' of yours' : ''}${warned}.`
        : `${formatAmount(errors.length, 'finding')} in ${formatAmount(Math.max(cases, filesOf(errors)), 'case')}${warned}.`,
    blocks:
      findings.length === 0
        ? []
        : [{ kind: 'list', title: 'Findings', items: [...errors, ...warnings].map(say) }],
    notes: [
      ...(drafts.length > 0 ? [`Uncorrected drafts, on which no gate passes: ${drafts.join(', ')}.`] : []),
      ...(yours
        ? ['The rules are yours (decomposition.golden in the configuration), not the documented ones.']
        : []),
      ...(isPart ? ['Only the named files were checked, not the suite as a whole.'] : []),
      `Domains: ${domains.map((one) => `${one.domain} ${one.cases}`).join(', ')}.`,
    ],
    next: isPart ? [] : [runNext(folder)],
  };
}

/** Unreadable files do not count as cases. */
function filesOf(findings: readonly SuiteFinding[]): number {
  return new Set(findings.flatMap(({ file }) => file ?? [])).size;
}

function say({ file, place, message, rule, warning }: SuiteFinding): string {
  return `${warning ? 'Warning: ' : ''}${file === undefined ? '' : `${file}: `}${place} ${message} [${rule}]`;
}

function runNext(folder: string): Action {
  return { operation: 'decomposition run', options: { golden: folder === 'golden' ? undefined : folder } };
}
