import { minimumDetectableEffect, neededN } from '../../stats/power.ts';
import { misfits } from '../ingest/check-runs-fit-truth.ts';
import {
  documentsOf,
  findQuote,
  linesOf,
  normaliseText,
  type ReviewedDocument,
  SHORTEST_QUOTE,
} from '../match/document.ts';
import { linesBetween, pathParts } from '../match/place.ts';
import type { Finding, ReviewRun } from '../review.ts';
import type { GroundTruth, KnownError, Location } from '../truth.ts';
import { few, type LintFinding } from './inspect.ts';

export type TruthLintOptions = {
  /** The reviewed documents, laid out; without them quotes and lines are not looked up. */
  readonly documents?: readonly ReviewedDocument[];
  /** Fewer errors than this are a warning. Without it a small ground truth is only noted. */
  readonly minErrors?: number;
};

export function lintTruth(truth: GroundTruth, file: string, options: TruthLintOptions = {}): LintFinding[] {
  const { documents } = options;
  const items = [...truth.errors, ...truth.traps];
  return [
    ...draftNote(truth, file),
    ...unplaced(truth, file),
    ...overlaps(truth.errors, file),
    ...(documents === undefined ? [] : items.flatMap((item) => lintPlaces(item.id, file, item, documents))),
    ...composition(truth, file),
    ...size(truth.errors.length, file, options.minErrors),
  ];
}

function draftNote({ draft }: GroundTruth, file: string): LintFinding[] {
  if (!draft) return [];
  const message = 'is a draft that nobody has corrected; no gate passes on it';
  return [{ level: 'note', rule: 'draft', file, place: 'draft', message }];
}

function unplaced({ errors, traps }: GroundTruth, file: string): LintFinding[] {
  return [...errors, ...traps]
    .filter(({ locations, quote }) => locations.length === 0 && quote === undefined)
    .map(({ id }) => ({
      level: 'warning',
      rule: 'no-place',
      file,
      place: id,
      message: 'has no location and no quote, so only a label can say that a finding reports it',
    }));
}

type Range = { readonly id: string; readonly from: number; readonly to: number };

/** Of two errors at the same lines a finding could mean either. Each range is held against the widest one before it. */
function overlaps(errors: readonly KnownError[], file: string): LintFinding[] {
  const ranges = Map.groupBy(
    errors.flatMap(({ id, locations }) =>
      locations.flatMap(({ file: document, lines }) =>
        lines === undefined
          ? []
          : [{ id, from: lines[0], to: lines[1], document: pathParts(document ?? '').join('/') }],
      ),
    ),
    ({ document }) => document,
  );
  return [...ranges].flatMap(([document, list]) => {
    const sorted: Range[] = list.toSorted((a, b) => a.from - b.from || a.to - b.to);
    let widest = sorted[0];
    return sorted.slice(1).flatMap((range): LintFinding[] => {
      const before = widest;
      if (before === undefined || range.to > before.to) widest = range;
      if (before === undefined || before.to < range.from || before.id === range.id) return [];
      const to = Math.min(range.to, before.to);
      const lines = to === range.from ? `line ${to}` : `lines ${range.from}–${to}`;
      const where = document === '' ? lines : `${document} ${lines}`;
      const message = `shares ${where} with ${before.id}; a finding there could mean either`;
      return [{ level: 'warning', rule: 'overlap', file, place: range.id, message }];
    });
  });
}

function composition({ categories, errors }: GroundTruth, file: string): LintFinding[] {
  const used = new Set(errors.map(({ category }) => category));
  const empty = categories.filter((category) => !used.has(category));
  const note = (rule: string, place: string, message: string): LintFinding => ({
    level: 'note',
    rule,
    file,
    place,
    message,
  });
  if (errors.length === 0) return [note('no-errors', 'errors', 'is empty: detection cannot be measured')];
  return [
    ...(empty.length > 0
      ? [note('empty-category', 'categories', `no error is ${few(empty)}: blindness there cannot be seen`)]
      : []),
    ...(errors.some(({ severity }) => severity === 'CRITICAL')
      ? []
      : [
          note(
            'no-critical',
            'errors',
            'no error is CRITICAL: the detection rate of critical errors cannot be measured',
          ),
        ]),
  ];
}

/** Spread of a paired difference per error, and the difference worth seeing, for which the needed number is told. */
const [SD, DIFFERENCE] = [0.4, 0.2];

function size(n: number, file: string, minErrors: number | undefined): LintFinding[] {
  const needed = minErrors ?? neededN(SD, DIFFERENCE) ?? 0;
  if (n >= needed || n === 0) return [];
  const effect = minimumDetectableEffect(SD, n);
  const seen =
    effect === undefined
      ? 'one error shows no difference'
      : `a difference under ${Math.round(effect * 100)} points is missed more often than one time in five`;
  return [
    {
      level: minErrors === undefined ? 'note' : 'warning',
      rule: 'few-errors',
      file,
      place: 'errors',
      message: `${n} of ${needed} errors: ${seen} (SD ${SD} per error)`,
    },
  ];
}

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

type Placed = { readonly locations: readonly Location[]; readonly quote?: string };

/** Whether the documents have what an error or a finding points at. */
function lintPlaces(
  place: string,
  file: string,
  { locations, quote }: Placed,
  documents: readonly ReviewedDocument[],
): LintFinding[] {
  const warn = (rule: string, message: string): LintFinding => ({
    level: 'warning',
    rule,
    file,
    place,
    message,
  });
  return [
    ...locations.flatMap((location) =>
      lintLocation(location, documents).map(([rule, message]) => warn(rule, message)),
    ),
    ...(quote === undefined
      ? []
      : lintQuote(quote, locations, documents).map(([rule, message]) => warn(rule, message))),
  ];
}

function lintLocation({ file, lines }: Location, documents: readonly ReviewedDocument[]): [string, string][] {
  if (file === undefined) return [];
  const meant = documentsOf(documents, pathParts(file));
  if (meant.length === 0)
    return [['unknown-document', `points at ${file}, which is not among the documents`]];
  const longest = Math.max(...meant.map(({ starts }) => starts.length));
  return lines !== undefined && lines[1] > longest
    ? [['lines-beyond-end', `points at line ${lines[1]} of ${file}, which has ${longest}`]]
    : [];
}

function lintQuote(
  quote: string,
  locations: readonly Location[],
  documents: readonly ReviewedDocument[],
): [string, string][] {
  const text = normaliseText(quote);
  if (text.length < SHORTEST_QUOTE) {
    return [
      ['short-quote', `its quote has under ${SHORTEST_QUOTE} characters and identifies nothing by itself`],
    ];
  }
  const files = locations.flatMap(({ file }) => (file === undefined ? [] : [pathParts(file)]));
  const meant =
    files.length === 0
      ? documents
      : documents.filter((one) => files.some((parts) => documentsOf([one], parts).length > 0));
  const spans = findQuote(meant, text);
  if (spans.length === 0)
    return [['quote-not-found', `its quote does not occur in the documents: "${shorten(quote)}"`]];
  const declared = locations.flatMap(({ lines }) => (lines === undefined ? [] : [lines]));
  const found = spans.map(linesOf);
  if (declared.length === 0 || found.some((one) => declared.some((lines) => linesBetween(one, lines) === 0)))
    return [];
  return [['quote-elsewhere', `its quote stands at line ${found[0]?.[0]}, outside the lines it points at`]];
}

function shorten(quote: string): string {
  return quote.length > 60 ? `${quote.slice(0, 59)}…` : quote;
}
