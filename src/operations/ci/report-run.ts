/** Reports a run to a pull or merge request: one comment that is updated, a summary, and files that CI systems show. */
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import {
  type CommentState,
  type Forge,
  githubForge,
  gitlabForge,
  markerOf,
  writeComment,
} from '../../ci/forge.ts';
import { type CaseRemark, type GoldenSource, lostErrors, missedErrors, remarksOf } from '../../ci/remarks.ts';
import {
  annotations,
  codeQualityOf,
  comparisonText,
  junitText,
  nothingJunit,
  nothingText,
  reportText,
  sarifOf,
} from '../../ci/report-files.ts';
import {
  type CiComparison,
  type CiResult,
  comparisonVerdict,
  isComparison,
  readResult,
  verdictOf,
} from '../../ci/result.ts';
import { AssayError } from '../../errors.ts';
import { listNames, readText } from '../../files.ts';
import type { Gate } from '../../judge/gate.ts';
import type { Verdict } from '../../judge/verdict.ts';
import { replaceFile } from '../../locked-file.ts';
import type { Ports } from '../ports.ts';

export type CiHost = 'github' | 'gitlab' | 'none';

export type CiReportRequest = {
  readonly host: CiHost;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The JSON that the step before wrote. */
  readonly result: string;
  /** The folder of the golden cases, for annotations. */
  readonly golden: string;
  /** The ground truth of a review, for annotations. */
  readonly truth?: string | undefined;
  /** Distinguishes two reports in one request. */
  readonly name: string;
  readonly comments: boolean;
  readonly sarif?: string | undefined;
  readonly junit?: string | undefined;
  readonly codeQuality?: string | undefined;
};

export type CiReported = {
  readonly exitCode: Gate['exitCode'];
  readonly verdict: Gate['verdict'];
  readonly remarks: readonly CaseRemark[];
  /** Why nothing was measured, where that is so. */
  readonly why?: string;
  /** Lines for the output of the step, where the host reads them. */
  readonly annotations: readonly string[];
  readonly comment: CommentState | 'no request' | 'not asked for';
};

const GOLDEN = '.gold.json';
const FORGES = { github: githubForge, gitlab: gitlabForge } as const;

export async function reportRun(
  request: CiReportRequest,
  ports: Pick<Ports, 'now' | 'signal'>,
): Promise<CiReported> {
  const { text, ...report } = buildReport(request, ports.now());
  const { GITHUB_STEP_SUMMARY: summary } = request.environment;
  if (request.host === 'github' && summary) appendFileSync(summary, `${text}\n`);
  return {
    ...report,
    annotations: request.host === 'github' ? annotations(report.remarks, report.why) : [],
    comment: await commentOn(request, text, ports),
  };
}

type BuiltReport = Omit<CiReported, 'comment' | 'annotations'> & { readonly text: string };

/** A file that cannot be read counts as missing. */
function buildReport(request: CiReportRequest, now: Date): BuiltReport {
  if (!existsSync(request.result))
    return notMeasured(request, `There is no result at ${request.result}`, now);
  let result: CiResult | CiComparison;
  try {
    result = readResult(request.result);
  } catch (error) {
    if (error instanceof AssayError) return notMeasured(request, error.message, now);
    throw error;
  }
  return isComparison(result) ? compared(request, result, now) : measured(request, result);
}

function measured(request: CiReportRequest, result: CiResult): BuiltReport {
  const verdict = verdictOf(result);
  const remarks = [...remarksOf(result, goldenFiles(request)), ...missedErrors(result, truthFile(request))];
  return written(request, verdict, remarks, reportText(verdict, remarks));
}

function compared(request: CiReportRequest, result: CiComparison, now: Date): BuiltReport {
  const remarks = lostErrors(result, truthFile(request));
  return written(request, comparisonVerdict(result, now), remarks, comparisonText(result, remarks));
}

function written(
  request: CiReportRequest,
  verdict: Verdict,
  remarks: readonly CaseRemark[],
  text: string,
): BuiltReport {
  writeJson(request.sarif, () => sarifOf(remarks, verdict.validity.scorer));
  writeJson(request.codeQuality, () => codeQualityOf(remarks));
  writeFile(request.junit, () => junitText(verdict));
  const { exitCode, verdict: word } = verdict.gate;
  return { exitCode, verdict: word, remarks, text };
}

/** An empty list of faults would mark earlier ones as fixed, so there is none; in JUnit it is an error. */
function notMeasured(
  { sarif, codeQuality, junit, name }: CiReportRequest,
  what: string,
  now: Date,
): BuiltReport {
  for (const path of [sarif, codeQuality]) if (path !== undefined) rmSync(path, { force: true });
  const why = `${what}: the step that measures ended without one.`;
  writeFile(junit, () => nothingJunit(name, why, now));
  return { exitCode: 3, verdict: 'could not run', remarks: [], why, text: nothingText(name, why) };
}

async function commentOn(
  { host, environment, comments, name }: CiReportRequest,
  text: string,
  { now, signal }: Pick<Ports, 'now' | 'signal'>,
): Promise<CiReported['comment']> {
  if (!comments || host === 'none') return 'not asked for';
  const forge: Forge | undefined = FORGES[host](environment, { now, signal });
  return forge === undefined ? 'no request' : writeComment(forge, markerOf(name), text);
}

function truthFile({ truth, environment }: CiReportRequest): GoldenSource | undefined {
  return truth ? sourceAt(truth, environment) : undefined;
}

function sourceAt(
  path: string,
  { GITHUB_WORKSPACE, CI_PROJECT_DIR }: CiReportRequest['environment'],
): GoldenSource {
  const root = resolve(GITHUB_WORKSPACE ?? CI_PROJECT_DIR ?? '.');
  return { path: relative(root, resolve(path)).split(sep).join('/'), text: readText(path) };
}

/** By the names that are there: what a result calls a case never makes a path. */
function goldenFiles({ golden, environment }: CiReportRequest): (caseId: string) => GoldenSource | undefined {
  const names = new Set(existsSync(golden) ? listNames(golden, GOLDEN) : []);
  return (caseId) => {
    if (!names.has(`${caseId}${GOLDEN}`)) return undefined;
    return sourceAt(join(golden, `${caseId}${GOLDEN}`), environment);
  };
}

function writeJson(path: string | undefined, make: () => object): void {
  writeFile(path, () => `${JSON.stringify(make(), null, 2)}\n`);
}

function writeFile(path: string | undefined, make: () => string): void {
  if (path === undefined) return;
  replaceFile(path, make());
}
