/** Remarks as the files that GitHub code scanning and GitLab Code Quality read. */
import { createHash } from 'node:crypto';
import type { Verdict } from '../judge/verdict.ts';
import { renderJunit } from '../report/junit.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { formatAmount, formatCount } from '../report/number.ts';
import { plain } from '../report/unsafe-text.ts';
import { verdictView } from '../report/verdict-view.ts';
import { type ItemColumn, tableOf, type View } from '../report/view.ts';
import type { CaseRemark } from './remarks.ts';
import type { CiComparison } from './result.ts';

const TITLES: Readonly<Record<CaseRemark['rule'], string>> = {
  'missed-error': 'Most runs of a review missed an error of the ground truth',
  'lost-error': 'A new version of a review finds an error of the ground truth less often',
  'missed-concept': 'An expected concept was not extracted',
  'forbidden-concept': 'A forbidden concept was extracted',
  'unexpected-concept': 'Concepts were extracted that nobody expected',
  'case-error': 'A case gave nothing to measure',
  'case-failed': 'A case is in the fail zone',
};

/** GitHub shows 5,000 results of a run. */
const MOST = 5_000;

/** The same fault has the same fingerprint in every run, so that CI systems do not report it again. */
function fingerprint({ rule, path, message }: CaseRemark): string {
  return createHash('sha256')
    .update(JSON.stringify([rule, path, message]))
    .digest('hex');
}

export function sarifOf(remarks: readonly CaseRemark[], version: string): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Assay',
            version,
            rules: Object.entries(TITLES).map(([id, text]) => ({ id, shortDescription: { text } })),
          },
        },
        results: remarks.slice(0, MOST).map((remark) => ({
          ruleId: remark.rule,
          level: remark.level,
          message: { text: plain(remark.message) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(remark.path) },
                region: { startLine: remark.line },
              },
            },
          ],
          partialFingerprints: { 'assay/v1': fingerprint(remark) },
        })),
      },
    ],
  };
}

export function codeQualityOf(remarks: readonly CaseRemark[]): object[] {
  return remarks.map((remark) => ({
    type: 'issue',
    check_name: remark.rule,
    description: plain(remark.message),
    severity: remark.level === 'error' ? 'major' : 'minor',
    fingerprint: fingerprint(remark),
    location: { path: remark.path, lines: { begin: remark.line } },
  }));
}

function uriOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Remarks as GitHub reads them from the output of a step. What they quote cannot end the line or begin another command. */

/** GitHub shows ten of each kind for a step. */
const MOST_ANNOTATIONS = 10;

/** `fault`: what is wrong with the whole run. */
export function annotations(remarks: readonly CaseRemark[], fault?: string): string[] {
  const shown = remarks.slice(0, MOST_ANNOTATIONS);
  const more = remarks.length - shown.length;
  return [
    ...(fault === undefined ? [] : [command('error', {}, fault)]),
    ...shown.map(({ level, rule, message, path, line }) =>
      command(level, { file: path, line: String(line), title: rule }, message),
    ),
    ...(more > 0 ? [command('notice', {}, `${more} more; the job summary has all of them`)] : []),
  ];
}

function command(kind: string, properties: Readonly<Record<string, string>>, message: string): string {
  const words = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
  return `::${kind}${words.length === 0 ? '' : ` ${words.join(',')}`}::${data(message)}`;
}

function data(text: string): string {
  return plain(text).replaceAll('%', '%25');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** The report of a run as a pull request shows it, and for CI systems that draw tests. */

const SHOWN = 50;

export function reportText(verdict: Verdict, remarks: readonly CaseRemark[]): string {
  const document = verdictView(verdict);
  return renderMarkdown({ ...document, blocks: [...document.blocks, ...placesOf(remarks)] });
}

/** What a new version of a review gained and lost: the verdict, the figures of both sides, and the errors by name. */
export function comparisonText(result: CiComparison, remarks: readonly CaseRemark[]): string {
  const { baseline, candidate, verdict, because, gate, errors, notes } = result;
  const gained = errors.filter(({ before, after }) => after > before);
  const lost = errors.filter(({ before, after }) => after < before);
  const of = (key: string) => result.secondary.find(({ metric }) => metric === key);
  const figures = [
    result.primary,
    ...result.by_severity,
    of('precision'),
    of('f1'),
    of('chance_level'),
    of('oes'),
  ]
    .filter((one) => one !== undefined)
    .filter((one, i, all) => all.findIndex(({ metric }) => metric === one.metric) === i);
  return renderMarkdown({
    title: `${baseline.workflow} → ${candidate.workflow}: ${verdict}`,
    verdict: gate.verdict,
    answer: `${formatAmount(gained.length, 'error')} found more often, ${formatCount(lost.length)} less often: ${because}.`,
    blocks: [
      tableOf('Both sides', figures, [
        { key: 'metric' },
        { key: 'baseline', title: baseline.workflow, of: (one) => valueText(one.baseline.value) },
        { key: 'candidate', title: candidate.workflow, of: (one) => valueText(one.candidate.value) },
        { key: 'change', of: ({ difference }) => signedText(difference) },
      ]),
      ...movedTable('Lost', lost, result),
      ...movedTable('Gained', gained, result),
      ...placesOf(remarks),
    ],
    notes,
    next: [],
  });
}

function valueText(value: number | null): string {
  return value === null ? '–' : value.toFixed(Math.abs(value) > 5 ? 1 : 2);
}

function signedText(value: number | null): string {
  if (value === null) return '–';
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${valueText(Math.abs(value))}`;
}

function movedTable(
  title: string,
  errors: CiComparison['errors'],
  { baseline, candidate }: CiComparison,
): View['blocks'] {
  if (errors.length === 0) return [];
  const several = new Set(errors.map(({ task }) => task)).size > 1;
  const columns: ItemColumn<CiComparison['errors'][number]>[] = [
    { key: 'id', title: 'error', unit: 'name' },
    { key: 'severity', of: ({ severity }) => severity.toLowerCase() },
    { key: 'what', title: 'what it is', of: ({ what = '' }) => what },
    { key: 'before', title: baseline.workflow, unit: 'score' },
    { key: 'after', title: candidate.workflow, unit: 'score' },
  ];
  const heaviest = (one: { readonly severity: string }) =>
    ['CRITICAL', 'IMPORTANT', 'MINOR'].indexOf(one.severity);
  const sorted = errors.toSorted(
    (a, b) => heaviest(a) - heaviest(b) || Math.abs(b.after - b.before) - Math.abs(a.after - a.before),
  );
  return [
    tableOf(title, sorted, several ? [{ key: 'task', unit: 'name' }, ...columns] : columns, { limit: SHOWN }),
  ];
}

/** The locations, for readers without annotations. */
function placesOf(remarks: readonly CaseRemark[]): View['blocks'] {
  if (remarks.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'Where to look',
      columns: [
        { key: 'place', title: 'place', unit: 'name' },
        { key: 'what', title: 'what', unit: 'text' },
      ],
      rows: remarks.map(({ path, line, message }) => ({ place: `${path}:${line}`, what: message })),
      limit: SHOWN,
      folded: true,
    },
  ];
}

export function junitText(verdict: Verdict): string {
  return renderJunit(verdict);
}

/** What was said of an earlier run must not stay when this one could not be measured. */
export function nothingText(name: string, why: string): string {
  return renderMarkdown({
    title: name,
    verdict: 'could not run',
    answer: why,
    blocks: [],
    notes: [],
    next: [],
  });
}

export function nothingJunit(name: string, why: string, now: Date): string {
  return renderJunit({
    instrument: 'assay',
    subject: name,
    validity: { runId: '', at: now.toISOString(), scorer: '', cases: 0, skipped: {} },
    metrics: [],
    cases: [],
    trends: [],
    gate: { verdict: 'could not run', exitCode: 3, checks: [], reasons: [why] },
    notes: [],
  });
}
