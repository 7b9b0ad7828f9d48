import type { z } from 'zod';
import type { GoldenLint } from '../../decomposition/golden/golden-lint.ts';
import type { goldenLint } from '../schema/golden-lint.ts';

export function encodeGoldenLint({
  folder,
  cases,
  domains,
  findings,
  drafts,
}: GoldenLint): z.infer<typeof goldenLint> {
  return {
    format: 'assay-golden-lint',
    version: 1,
    folder,
    n_cases: cases,
    domains: Object.fromEntries(domains.map((one) => [one.domain, one.cases])),
    drafts: [...drafts],
    findings: findings.map(({ file, rule, place, message }) => ({
      file: file ?? null,
      rule,
      place,
      message,
    })),
  };
}
