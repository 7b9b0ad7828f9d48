import type { GoldenLint } from '../../decomposition/golden/golden-lint.ts';
import { lintSuite } from '../../decomposition/golden/lint-suite.ts';
import { readForLint } from '../../decomposition/golden/read-for-lint.ts';

import { GOLDEN_RULES, type GoldenRules } from '../../decomposition/golden-rules.ts';

export type LintGoldenRequest = {
  /** The folder of the golden cases. */
  readonly golden: string;
  /** What is asked of them; as documented unless told. */
  readonly rules?: GoldenRules;
};

/** Every rule over every golden case, and those that only the whole suite can break. */
export function lintGolden({ golden: folder, rules = GOLDEN_RULES }: LintGoldenRequest): GoldenLint {
  const { cases, findings: unreadable } = readForLint(folder, rules);
  return {
    folder,
    cases: cases.length,
    domains: rules.domains.map((domain) => ({
      domain,
      cases: cases.filter(({ golden }) => golden.domain === domain).length,
    })),
    drafts: cases.flatMap(({ golden }) => (golden.draft === undefined ? [] : [golden.id])),
    findings: [...unreadable, ...lintSuite(cases, rules)],
    ...(isDocumented(rules) ? {} : { yours: true as const }),
    isEmpty: cases.length === 0 && unreadable.length === 0,
  };
}

function isDocumented(rules: GoldenRules): boolean {
  return JSON.stringify(Object.entries(rules).sort()) === JSON.stringify(Object.entries(GOLDEN_RULES).sort());
}
