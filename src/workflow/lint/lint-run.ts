import { misfits } from '../ingest/check-runs-fit-truth.ts';
import type { ReviewedDocument } from '../match/document.ts';
import type { Finding, ReviewRun } from '../review.ts';
import type { GroundTruth } from '../truth.ts';
import { few, type LintFinding } from './lint-finding.ts';
import { lintPlaces } from './lint-places.ts';

export type RunLintOptions = {
  readonly documents?: readonly ReviewedDocument[];
  /** The ground truth of the same task, when it is at hand. */
  readonly truth?: GroundTruth;
};

export function lintRun(run: ReviewRun, { documents, truth }: RunLintOptions = {}): LintFinding[] {
  const file = run.path ?? `run ${run.run}`;
  return [
    ...(truth === undefined
      ? []
      : misfits(truth, run).map(({ place, message }) => ({
          level: 'error' as const,
          rule: 'other-truth',
          file,
          place,
          message,
        }))),
    ...twins(run.findings, file),
    ...(documents === undefined
      ? []
      : run.findings.flatMap((finding) =>
          lintPlaces(finding.id, file, { ...finding, locations: [finding] }, documents),
        )),
    ...notesOn(run, truth).map(([rule, place, message]) => ({
      level: 'note' as const,
      rule,
      file,
      place,
      message,
    })),
  ];
}

/** Two findings with the same words at the same place are one; the second is credited to nothing. */
function twins(findings: readonly Finding[], file: string): LintFinding[] {
  const seen = new Map<string, string>();
  return findings.flatMap((finding): LintFinding[] => {
    const { id, title, description, file: document, section, lines, quote } = finding;
    const key = JSON.stringify([title, description, document, section, lines, quote]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, id);
    return first === undefined
      ? []
      : [
          {
            level: 'warning',
            rule: 'identical-findings',
            file,
            place: id,
            message: `says the same as ${first} at the same place`,
          },
        ];
  });
}

function notesOn(run: ReviewRun, truth: GroundTruth | undefined): [string, string, string][] {
  const { findings } = run;
  if (findings.length === 0)
    return [['silence', 'findings', 'the run reports nothing: precision is unmeasured, not perfect']];
  const of = findings.length;
  const lost = findings.filter(isUnplaced).map(({ id }) => id);
  const disputed = findings.filter(
    ({ labels }) => new Set(labels.map(({ match, error }) => `${match} ${error}`)).size > 1,
  );
  const depthless = findings.filter(({ depth }) => depth === undefined).length;
  const known = new Set(truth?.categories);
  const strange = [
    ...new Set(
      findings.flatMap(({ category }) => (category === undefined || known.has(category) ? [] : [category])),
    ),
  ];
  return [
    ...(lost.length > 0
      ? [
          note(
            'no-place',
            'findings',
            `${lost.length} of ${of} have no file, section, lines, quote or label and stay unresolved: ${few(lost)}`,
          ),
        ]
      : []),
    ...(disputed.length > 0
      ? [
          note(
            'disputed',
            'labels',
            `authors differ on ${disputed.length} of ${of}: ${few(disputed.map(({ id }) => id))}`,
          ),
        ]
      : []),
    ...(truth !== undefined && strange.length > 0
      ? [note('strange-category', 'findings', `the ground truth does not know ${few(strange)}`)]
      : []),
    ...(depthless > 0
      ? [note('no-depth', 'findings', `${depthless} of ${of} have no depth; depth quality leaves them out`)]
      : []),
    ...(run.agentTokens === undefined || run.workflowTokens === undefined
      ? [
          note(
            'no-tokens',
            'tokens',
            'agent_tokens or workflow_tokens is not given: token efficiency is unmeasured',
          ),
        ]
      : []),
  ];
}

function note(rule: string, place: string, message: string): [string, string, string] {
  return [rule, place, message];
}

function isUnplaced({ file, section, lines, quote, labels }: Finding): boolean {
  return (
    file === undefined &&
    section === undefined &&
    lines === undefined &&
    quote === undefined &&
    labels.length === 0
  );
}

/** What only several runs together show: copies, and too few for a statement. */
export function lintRuns(runs: readonly ReviewRun[]): LintFinding[] {
  const arms = Map.groupBy(runs, ({ workflow, task }) => `${workflow} on ${task}`);
  return [...arms].flatMap(([arm, list]) => [...copies(list), ...tooFew(arm, list), ...models(arm, list)]);
}

function copies(runs: readonly ReviewRun[]): LintFinding[] {
  const seen = new Map<string, ReviewRun>();
  return runs.flatMap((run): LintFinding[] => {
    const key = JSON.stringify(run.findings);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, run);
    if (first === undefined || run.findings.length === 0) return [];
    const message = `has exactly the findings of run ${first.run} in ${first.path}: a copy, or a workflow without chance`;
    return [
      { level: 'warning', rule: 'identical-runs', file: run.path ?? '', place: `run ${run.run}`, message },
    ];
  });
}

/** The documented minimum for a statement about one workflow. */
const MIN_RUNS = 3;

function tooFew(arm: string, runs: readonly ReviewRun[]): LintFinding[] {
  if (runs.length >= MIN_RUNS) return [];
  const message = `${runs.length} of ${MIN_RUNS} runs: too few to assess a workflow`;
  return [{ level: 'note', rule: 'few-runs', file: runs[0]?.path ?? '', place: arm, message }];
}

function models(arm: string, runs: readonly ReviewRun[]): LintFinding[] {
  const names = [...new Set(runs.map(({ model }) => model ?? 'not named'))];
  if (names.length === 1) return [];
  const message = `the runs used different models (${few(names)}), so a difference may be theirs`;
  return [{ level: 'note', rule: 'several-models', file: runs[0]?.path ?? '', place: arm, message }];
}
