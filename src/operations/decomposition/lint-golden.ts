import type { GoldenLint } from '../../decomposition/golden/golden-lint.ts';
import { DOMAINS, lintSuite } from '../../decomposition/golden/lint-suite.ts';
import { readForLint } from '../../decomposition/golden/read-for-lint.ts';

export type LintGoldenRequest = {
  /** The folder of the golden cases. */
  readonly golden: string;
};

/** Every rule over every golden case, and those that only the whole suite can break. */
export function lintGolden({ golden: folder }: LintGoldenRequest): GoldenLint {
  const { cases, findings: unreadable } = readForLint(folder);
  return {
    folder,
    cases: cases.length,
    domains: DOMAINS.map((domain) => ({
      domain,
      cases: cases.filter(({ golden }) => golden.domain === domain).length,
    })),
    findings: [...unreadable, ...lintSuite(cases)],
    isEmpty: cases.length === 0 && unreadable.length === 0,
  };
}
