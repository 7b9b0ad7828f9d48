import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { readJson } from '../../files.ts';
import { sayIssue } from '../../say-issue.ts';
import { GOLDEN_RULES, type GoldenRules, type Vocabulary } from '../golden-rules.ts';
import { type GoldenCase, goldenNames, goldenSchemaWith } from '../ingest/golden-case.ts';
import { type GoldenFinding, lintCase } from './lint-case.ts';
import { findSameTexts } from './same-texts.ts';

export type SuiteFinding = GoldenFinding & {
  readonly file?: string;
  /** All files that a shared finding is about. */
  readonly files?: readonly string[];
};

type ReadCase = { readonly file: string; readonly golden: GoldenCase };

/** The documented target size, and the size from which a difference stands out from noise. */
const [TARGET, IDEAL] = [10, 15];

export function lintSuite(cases: readonly ReadCase[], rules: GoldenRules = GOLDEN_RULES): SuiteFinding[] {
  const missing = rules.domains.filter((domain) => !cases.some(({ golden }) => golden.domain === domain));
  const ids = Map.groupBy(cases, ({ golden }) => golden.id);
  return [
    ...(cases.length < rules.minCases
      ? [
          {
            rule: 'number of cases (3.1)',
            place: 'the suite',
            message: `has ${cases.length} ${cases.length === 1 ? 'case' : 'cases'}; ${rules.minCases} are required, ${TARGET} are the target, ${IDEAL} or more are ideal`,
          },
        ]
      : []),
    ...missing.map((domain) => ({
      rule: 'domains (3.2)',
      place: 'the suite',
      message: `has no ${domain} case; at least one is required`,
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

/** A duplicate text counts twice in every mean, without adding a second opinion. */
function sameTexts(cases: readonly ReadCase[]): SuiteFinding[] {
  return findSameTexts(cases.map(({ golden }) => golden.sourceText)).map(({ first, second, share }) => ({
    rule: 'no case twice (beyond 3.1)',
    file: cases[second]?.file ?? '',
    files: [first, second].flatMap((at) => cases[at]?.file ?? []),
    place: 'sourceText',
    message: `has ${Math.floor(share * 100)}% of its text in common with ${cases[first]?.file}; remove one of them, or write another text`,
  }));
}

export type GoldenLint = {
  readonly folder: string;
  readonly cases: number;
  readonly domains: readonly { readonly domain: string; readonly cases: number }[];
  readonly findings: readonly SuiteFinding[];
  readonly drafts: readonly string[];
  readonly yours?: true;
  /** Only the named files were checked, not the suite as a whole. */
  readonly isPart?: true;
  /** There is no golden case at all, readable or not, so an empty result is no success. */
  readonly isEmpty: boolean;
};

export type ReadForLint = {
  readonly cases: readonly { readonly file: string; readonly golden: GoldenCase }[];
  readonly findings: readonly SuiteFinding[];
};

export function readForLint(folder: string, vocabulary: Vocabulary): ReadForLint {
  const schema = goldenSchemaWith(vocabulary);
  const cases: { file: string; golden: GoldenCase }[] = [];
  const findings: SuiteFinding[] = [];
  for (const file of goldenNames(folder)) {
    try {
      const parsed = schema.safeParse(readJson(join(folder, file)), { error: sayIssue });
      if (parsed.success) cases.push({ file, golden: parsed.data });
      else {
        findings.push(
          ...parsed.error.issues.map((issue) => ({
            file,
            rule: 'schema (Appendix B)',
            place: issue.path.map(String).join('.') || 'the whole file',
            message: issue.message,
          })),
        );
      }
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      findings.push({ file, rule: 'schema (Appendix B)', place: 'the whole file', message: error.message });
    }
  }
  return { cases, findings };
}
