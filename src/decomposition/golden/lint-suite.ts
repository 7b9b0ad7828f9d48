import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { readJson } from '../../files.ts';
import { sayIssue } from '../../say-issue.ts';
import { GOLDEN_RULES, type GoldenRules, type Vocabulary } from '../golden-rules.ts';
import { type GoldenCase, goldenNames, goldenSchemaWith } from '../ingest/golden-case.ts';
import { normalise } from '../match/normalise.ts';
import { type GoldenFinding, lintCase } from './lint-case.ts';

export type SuiteFinding = GoldenFinding & {
  readonly file?: string;
  /** Where several are about the same: all of them. */
  readonly files?: readonly string[];
};

type ReadCase = { readonly file: string; readonly golden: GoldenCase };

/** What the documented suite aims at, and from when on a difference can be told from noise. */
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

export type GoldenLint = {
  readonly folder: string;
  readonly cases: number;
  readonly domains: readonly { readonly domain: string; readonly cases: number }[];
  readonly findings: readonly SuiteFinding[];
  readonly drafts: readonly string[];
  readonly yours?: true;
  /** Only of files that were named: the suite as a whole was not looked at. */
  readonly isPart?: true;
  /** There is no golden case at all, readable or not: nothing to be proud of. */
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

/** `second` says again what `first` says: the share of the shorter one's runs of words that the other has too. */
type Likeness = { readonly first: number; readonly second: number; readonly share: number };

/** Words in a row that two texts on one subject hardly have in common unless one was copied. */
const RUN_OF_WORDS = 5;

/** From this share on, most of what a case can show has been shown by the other. */
const NEARLY_THE_SAME = 0.5;

/** Texts that are the same as an earlier one, or nearly so. A copy is compared with the original, not with other copies. */
export function findSameTexts(texts: readonly string[]): Likeness[] {
  const originals = new Map<string, number[]>();
  const sizes: number[] = [];
  return texts.flatMap((text, second) => {
    const runs = runsOf(text);
    sizes.push(runs.size);
    const shared = new Map<number, number>();
    for (const run of runs) {
      for (const first of originals.get(run) ?? []) shared.set(first, (shared.get(first) ?? 0) + 1);
    }
    const [likest] = [...shared]
      .map(([first, count]) => ({ first, second, share: count / Math.min(runs.size, sizes[first] ?? 1) }))
      .sort((a, b) => b.share - a.share);
    if (likest !== undefined && likest.share >= NEARLY_THE_SAME) return [likest];
    for (const run of runs) originals.set(run, [...(originals.get(run) ?? []), second]);
    return [];
  });
}

function runsOf(text: string): Set<string> {
  const words = normalise(text).split(' ');
  // A text that is shorter than one run is compared whole.
  const count = Math.max(1, words.length - RUN_OF_WORDS + 1);
  return new Set(Array.from({ length: count }, (_, i) => words.slice(i, i + RUN_OF_WORDS).join(' ')));
}
