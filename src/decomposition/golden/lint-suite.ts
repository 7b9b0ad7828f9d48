import { GOLDEN_RULES, type GoldenRules } from '../golden-rules.ts';
import type { GoldenCase } from '../ingest/golden-case.ts';
import { type GoldenFinding, lintCase } from './lint-case.ts';
import { findSameTexts } from './same-text.ts';

export type SuiteFinding = GoldenFinding & {
  /** The file it was found in; absent when it concerns the whole suite. */
  readonly file?: string;
  /** Where several are about the same: all of them. */
  readonly files?: readonly string[];
};

type ReadCase = { readonly file: string; readonly golden: GoldenCase };

/** From so many cases on a difference can be told from noise. */
const IDEAL = 15;

/** Every rule over every case, and those that only the whole suite can break. */
export function lintSuite(cases: readonly ReadCase[], rules: GoldenRules = GOLDEN_RULES): SuiteFinding[] {
  const missing = rules.domains.filter((domain) => !cases.some(({ golden }) => golden.domain === domain));
  const ids = Map.groupBy(cases, ({ golden }) => golden.id);
  return [
    ...(cases.length < rules.minCases
      ? [
          {
            rule: 'number of cases (3.1)',
            place: 'the suite',
            message: `has ${cases.length} ${cases.length === 1 ? 'case' : 'cases'}; at least ${rules.minCases} are asked for, ${IDEAL} are better`,
          },
        ]
      : []),
    ...missing.map((domain) => ({
      rule: 'domains (3.2)',
      place: 'the suite',
      message: `has no ${domain} case; at least one is asked for`,
    })),
    ...[...ids].flatMap(([id, same]) =>
      same.length > 1
        ? [
            {
              rule: 'one id, one case (beyond 3.1)',
              files: same.map(({ file }) => file),
              place: id,
              message: `is the id of ${same.map(({ file }) => file).join(' and ')}; give each its own`,
            },
          ]
        : [],
    ),
    ...sameTexts(cases),
    ...cases.flatMap(({ file, golden }) => lintCase(golden, rules).map((finding) => ({ ...finding, file }))),
  ];
}

/** A text that comes twice counts twice in every mean, and is no second opinion. */
function sameTexts(cases: readonly ReadCase[]): SuiteFinding[] {
  return findSameTexts(cases.map(({ golden }) => golden.sourceText)).map(({ first, second, share }) => ({
    rule: 'no case twice (beyond 3.1)',
    file: cases[second]?.file ?? '',
    files: [first, second].flatMap((at) => cases[at]?.file ?? []),
    place: 'sourceText',
    message: `has ${Math.floor(share * 100)}% of its text in common with ${cases[first]?.file}; keep one of them, or write another text`,
  }));
}
