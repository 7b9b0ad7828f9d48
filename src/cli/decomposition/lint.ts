import { DOMAINS, lintSuite, type SuiteFinding } from '../../decomposition/golden/lint-suite.ts';
import { readForLint } from '../../decomposition/golden/read-for-lint.ts';
import type { TableBlock } from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';
import type { Command } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION, printTable } from '../print-report.ts';
import { shellWord } from '../shell-word.ts';

export const command: Command = {
  name: 'decomposition lint',
  summary: 'Check golden cases: counts, texts, quotes, canaries, contradictions',
  positionals: { usage: '[DIR]', max: 1 },
  options: { format: FORMAT_OPTION, all: ALL_OPTION },
  examples: [
    'assay decomposition lint',
    'assay decomposition lint examples/decomposition/golden --format json',
  ],
  run: async (args, terminal) => {
    const folder = args.positionals[0] ?? 'golden';
    const { cases, findings: broken } = readForLint(folder);
    const findings = [...broken, ...lintSuite(cases)];
    const table: TableBlock = {
      kind: 'table',
      title: 'Findings',
      limit: 30,
      columns: [
        { key: 'file', header: 'file', style: 'name' },
        { key: 'rule', header: 'rule', style: 'text' },
        { key: 'place', header: 'place', style: 'text' },
        { key: 'message', header: 'what is wrong', style: 'text' },
      ],
      rows: findings.map(({ file, rule, place, message }) => ({ file, rule, place, message })),
    };
    const domains = DOMAINS.map(
      (domain) => `${domain} ${cases.filter(({ golden }) => golden.domain === domain).length}`,
    );
    await printTable(args, terminal, table, () => ({
      title: `Golden cases in ${folder}`,
      answer:
        findings.length === 0
          ? `${formatAmount(cases.length, 'case')} keep every rule.`
          : `${formatAmount(findings.length, 'finding')} in ${formatAmount(cases.length, 'case')}.`,
      blocks: findings.length === 0 ? [] : [{ kind: 'list', title: 'Findings', items: findings.map(say) }],
      notes: [`Domains: ${domains.join(', ')}.`],
      next: [
        findings.length === 0
          ? `assay decomposition run${folder === 'golden' ? '' : ` --golden ${shellWord(folder)}`}`
          : `assay decomposition lint ${shellWord(folder)} --all`,
      ],
    }));
    // No case at all is nothing to be proud of.
    return cases.length === 0 && broken.length === 0 ? 2 : findings.length === 0 ? 0 : 1;
  },
};

function say({ file, place, message, rule }: SuiteFinding): string {
  return `${file === undefined ? '' : `${file}: `}${place} ${message} [${rule}]`;
}
