import { basename, dirname, join } from 'node:path';
import {
  type GoldenLint,
  lintSuite,
  type ReadForLint,
  readForLint,
  type SuiteFinding,
} from '../../decomposition/golden/lint-suite.ts';
import { GOLDEN_RULES, type GoldenRules } from '../../decomposition/golden-rules.ts';
import { AssayError } from '../../errors.ts';

export type LintGoldenRequest = {
  readonly golden: string;
  /** Only findings of these files, by name; no findings about other files or the whole suite. */
  readonly only?: readonly string[];
  /** Default: the documented rules. */
  readonly rules?: GoldenRules;
};

export function lintGolden({ golden: folder, only, rules = GOLDEN_RULES }: LintGoldenRequest): GoldenLint {
  const read = readForLint(folder, rules);
  const all = [...read.findings, ...lintSuite(read.cases, rules)];
  const cases = only === undefined ? read.cases : read.cases.filter(({ file }) => only.includes(file));
  if (only !== undefined) assertThere(folder, only, read);
  return {
    folder,
    cases: cases.length,
    domains: rules.domains.map((domain) => ({
      domain,
      cases: cases.filter(({ golden }) => golden.domain === domain).length,
    })),
    drafts: cases.flatMap(({ golden }) => (golden.draft === undefined ? [] : [golden.id])),
    findings: only === undefined ? all : all.filter((one) => isAbout(one, only)),
    ...(isDocumented(rules) ? {} : { yours: true as const }),
    ...(only !== undefined && { isPart: true as const }),
    isEmpty: read.cases.length === 0 && read.findings.length === 0,
  };
}

export function lintFiles(paths: readonly string[], rules: GoldenRules): GoldenLint {
  const [first, ...others] = [...Map.groupBy(paths, dirname)].map(([golden, some]) =>
    lintGolden({ golden, only: some.map((path) => basename(path)), rules }),
  );
  if (first === undefined) throw new AssayError('USAGE', 'no golden case is named');
  return others.length === 0 ? first : [first, ...others].map(withPaths).reduce(mergeLints);
}

function withPaths(lint: GoldenLint): GoldenLint {
  const findings = lint.findings.map(({ file, ...rest }) => ({
    ...rest,
    ...(file !== undefined && { file: join(lint.folder, file) }),
  }));
  return { ...lint, findings };
}

function mergeLints(one: GoldenLint, other: GoldenLint): GoldenLint {
  return {
    ...one,
    folder: `${one.folder}, ${other.folder}`,
    cases: one.cases + other.cases,
    domains: one.domains.map(({ domain, cases }, i) => ({
      domain,
      cases: cases + (other.domains[i]?.cases ?? 0),
    })),
    drafts: [...one.drafts, ...other.drafts],
    findings: [...one.findings, ...other.findings],
  };
}

function isAbout({ file, files }: SuiteFinding, only: readonly string[]): boolean {
  return [...(files ?? []), ...(file === undefined ? [] : [file])].some((name) => only.includes(name));
}

function assertThere(folder: string, only: readonly string[], { cases, findings }: ReadForLint): void {
  const there = new Set([...cases, ...findings].map(({ file }) => file));
  const missing = only.find((name) => !there.has(name));
  if (missing !== undefined)
    throw new AssayError('FILE_NOT_FOUND', `there is no golden case ${missing} in ${folder}`);
}

function isDocumented(rules: GoldenRules): boolean {
  return JSON.stringify(Object.entries(rules).sort()) === JSON.stringify(Object.entries(GOLDEN_RULES).sort());
}
