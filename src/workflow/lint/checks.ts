import { minimumDetectableEffect, neededN } from '../../stats/power.ts';
import { UNITS_NEEDED } from '../compare/paired-errors.ts';
import { misfits } from '../ingest/check-runs-fit-truth.ts';
import { repeats } from '../ingest/fields.ts';
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
import { clusterErrors } from '../same-tasks.ts';
import type { GroundTruth, KnownError, Location } from '../truth.ts';
import type { LintFinding } from './inspect.ts';

/** A result of a check: `place` is where in the file, as a person would look for it. */
type Said = readonly [level: LintFinding['level'], rule: string, place: string, message: string];

function findingsIn(file: string, said: readonly Said[]): LintFinding[] {
  return said.map(([level, rule, place, message]) => ({ level, rule, file, place, message }));
}

export type TruthLintOptions = {
  /** The reviewed documents, laid out; without them quotes and lines are not looked up. */
  readonly documents?: readonly ReviewedDocument[];
  /** Fewer errors than this are a warning. Without it a small ground truth is only noted. */
  readonly minErrors?: number;
};

export function lintTruth(
  truth: GroundTruth,
  file: string,
  { documents, minErrors }: TruthLintOptions = {},
): LintFinding[] {
  const { draft, errors, traps } = truth;
  const items = [...errors, ...traps];
  const unplaced = items.filter(({ locations, quote }) => locations.length === 0 && quote === undefined);
  return findingsIn(file, [
    ...(draft
      ? [['note', 'draft', 'draft', 'is a draft that nobody has corrected; no gate passes on it'] as const]
      : []),
    ...unplaced.map(
      ({ id }): Said => [
        'warning',
        'no-place',
        id,
        'has no location and no quote, so only a label can say that a finding reports it',
      ],
    ),
    ...overlaps(errors),
    ...items.flatMap((item) => lintPlaces(item.id, item, documents)),
    ...composition(truth),
    ...size(truth, minErrors),
  ]);
}

/** Of two errors at the same lines a finding could mean either. Each range is compared with the widest one before it. */
function overlaps(errors: readonly KnownError[]): Said[] {
  const ranges = errors.flatMap(({ id, locations }) =>
    locations.flatMap(({ file = '', lines }) =>
      lines === undefined ? [] : [{ id, from: lines[0], to: lines[1], document: pathParts(file).join('/') }],
    ),
  );
  return [...Map.groupBy(ranges, ({ document }) => document)].flatMap(([document, list]) => {
    const sorted = list.toSorted((a, b) => a.from - b.from || a.to - b.to);
    let widest = sorted[0];
    return sorted.slice(1).flatMap((range): Said[] => {
      const before = widest;
      if (before === undefined || range.to > before.to) widest = range;
      if (before === undefined || before.to < range.from || before.id === range.id) return [];
      const to = Math.min(range.to, before.to);
      const lines = to === range.from ? `line ${to}` : `lines ${range.from}–${to}`;
      const where = document === '' ? lines : `${document} ${lines}`;
      return [
        [
          'warning',
          'overlap',
          range.id,
          `shares ${where} with ${before.id}; a finding there could mean either`,
        ],
      ];
    });
  });
}

function composition({ categories, errors }: GroundTruth): Said[] {
  if (errors.length === 0) return [['note', 'no-errors', 'errors', 'is empty: detection cannot be measured']];
  const used = new Set(errors.map(({ category }) => category));
  const empty = categories.filter((category) => !used.has(category));
  const said: Said[] = [];
  if (empty.length > 0) {
    const message = `no error is ${few(empty)}: blindness there cannot be seen`;
    said.push(['note', 'empty-category', 'categories', message]);
  }
  if (!errors.some(({ severity }) => severity === 'CRITICAL')) {
    const message = 'no error is CRITICAL: the detection rate of critical errors cannot be measured';
    said.push(['note', 'no-critical', 'errors', message]);
  }
  return said;
}

/**
 * The standard deviation of a paired difference per error, and the difference worth detecting: they give the needed
 * number.
 */
const [SD, DIFFERENCE] = [0.4, 0.2];

function size({ task, errors }: GroundTruth, minErrors: number | undefined): Said[] {
  const n = errors.length;
  const needed = minErrors ?? neededN(SD, DIFFERENCE) ?? 0;
  const documents = errors.map(({ locations }) => locations.find(({ file }) => file !== undefined)?.file);
  const { clusters, by } = clusterErrors(documents.map((document) => ({ task, document })));
  const units = new Set(clusters).size;
  if (n === 0) return [];
  if (by === 'document' && units < UNITS_NEEDED) {
    const message = `${n} errors lie in ${units} documents: ${UNITS_NEEDED} documents (or one alone) are the least that can tell about others; more errors in the same documents do not help`;
    return [['note', 'few-documents', 'errors', message]];
  }
  if (n >= needed) return [];
  // Errors of one document may be found and missed together: only documents are independent.
  const effect = minimumDetectableEffect(SD, Math.min(n, by === 'document' ? units : n));
  const seen =
    effect === undefined
      ? 'one error shows no difference'
      : `a difference under ${Math.round(effect * 100)} points is missed more often than one time in five`;
  const level = minErrors === undefined ? 'note' : 'warning';
  return [[level, 'few-errors', 'errors', `${n} of ${needed} errors: ${seen} (SD ${SD} per error)`]];
}

export type RunLintOptions = {
  readonly documents?: readonly ReviewedDocument[];
  /** The ground truth of the same task, when it is at hand. */
  readonly truth?: GroundTruth;
};

export function lintRun(run: ReviewRun, { documents, truth }: RunLintOptions = {}): LintFinding[] {
  const faults = truth === undefined ? [] : misfits(truth, run);
  return findingsIn(run.path ?? `run ${run.run}`, [
    ...faults.map(({ place, message }): Said => ['error', 'other-truth', place, message]),
    ...identicalFindings(run.findings),
    ...run.findings.flatMap((finding) =>
      lintPlaces(finding.id, { locations: [finding], quote: finding.quote }, documents),
    ),
    ...notesOn(run, truth),
  ]);
}

/** Two findings with the same words at the same place are one; the second is credited to nothing. */
function identicalFindings(findings: readonly Finding[]): Said[] {
  const keyOf = ({ title, description, file, section, lines, quote }: Finding) =>
    JSON.stringify([title, description, file, section, lines, quote]);
  return repeats(findings, keyOf).map(({ item, original }) => [
    'warning',
    'identical-findings',
    item.id,
    `says the same as ${original.id} at the same place`,
  ]);
}

function notesOn(
  { findings, agentTokens, workflowTokens }: ReviewRun,
  truth: GroundTruth | undefined,
): Said[] {
  const of = findings.length;
  if (of === 0)
    return [['note', 'silence', 'findings', 'the run reports nothing: precision is unmeasured, not perfect']];
  const lost = findings.filter(isUnplaced).map(({ id }) => id);
  const disputed = findings
    .filter(({ labels }) => new Set(labels.map(({ match, error }) => `${match} ${error}`)).size > 1)
    .map(({ id }) => id);
  const depthless = findings.filter(({ depth }) => depth === undefined).length;
  const known = new Set(truth?.categories);
  const unknown = new Set(
    findings.flatMap(({ category }) => category ?? []).filter((one) => !known.has(one)),
  );
  const said: Said[] = [];
  const note = (rule: string, place: string, message: string) => said.push(['note', rule, place, message]);
  if (lost.length > 0)
    note(
      'no-place',
      'findings',
      `${lost.length} of ${of} have no file, section, lines, quote or label and stay unresolved: ${few(lost)}`,
    );
  if (disputed.length > 0)
    note('disputed', 'labels', `authors differ on ${disputed.length} of ${of}: ${few(disputed)}`);
  if (truth !== undefined && unknown.size > 0)
    note('strange-category', 'findings', `the ground truth does not know ${few([...unknown])}`);
  if (depthless > 0)
    note('no-depth', 'findings', `${depthless} of ${of} have no depth; depth quality leaves them out`);
  if (agentTokens === undefined || workflowTokens === undefined)
    note(
      'no-tokens',
      'tokens',
      'agent_tokens or workflow_tokens is not given: token efficiency is unmeasured',
    );
  return said;
}

function isUnplaced({ file, section, lines, quote, labels }: Finding): boolean {
  return (file ?? section ?? lines ?? quote) === undefined && labels.length === 0;
}

/** The documented minimum for a statement about one workflow. */
const MIN_RUNS = 3;

/** What only several runs together show: copies, and too few for a statement. */
export function lintRuns(runs: readonly ReviewRun[]): LintFinding[] {
  const arms = Map.groupBy(runs, ({ workflow, task }) => `${workflow} on ${task}`);
  return [...arms].flatMap(([arm, list]) => {
    const models = new Set(list.map(({ model }) => model ?? 'not named'));
    const said: Said[] = [];
    if (list.length < MIN_RUNS)
      said.push([
        'note',
        'few-runs',
        arm,
        `${list.length} of ${MIN_RUNS} runs: too few to assess a workflow`,
      ]);
    if (models.size > 1) {
      const message = `the runs used different models (${few([...models])}), so a difference may be theirs`;
      said.push(['note', 'several-models', arm, message]);
    }
    return [...identicalRuns(list), ...findingsIn(list[0]?.path ?? '', said)];
  });
}

function identicalRuns(runs: readonly ReviewRun[]): LintFinding[] {
  return repeats(runs, ({ findings }) => JSON.stringify(findings))
    .filter(({ item: { findings } }) => findings.length > 0)
    .flatMap(({ item: { path = '', run }, original }) => {
      const message = `has exactly the findings of run ${original.run} in ${original.path}: a copy, or a workflow without chance`;
      return findingsIn(path, [['warning', 'identical-runs', `run ${run}`, message]]);
    });
}

type Placed = { readonly locations: readonly Location[]; readonly quote?: string };

/** Whether the documents have what an error or a finding points at. */
function lintPlaces(
  place: string,
  { locations, quote }: Placed,
  documents: readonly ReviewedDocument[] | undefined,
): Said[] {
  if (documents === undefined) return [];
  const found = locations.map((location) => lintLocation(location, documents));
  if (quote !== undefined) found.push(lintQuote(quote, locations, documents));
  return found.flatMap((said) => (said === undefined ? [] : [['warning', said[0], place, said[1]] as const]));
}

type Wrong = readonly [rule: string, message: string] | undefined;

function lintLocation({ file, lines }: Location, documents: readonly ReviewedDocument[]): Wrong {
  if (file === undefined) return undefined;
  const meant = documentsOf(documents, pathParts(file));
  if (meant.length === 0) return ['unknown-document', `points at ${file}, which is not among the documents`];
  const longest = Math.max(...meant.map(({ starts }) => starts.length));
  return lines !== undefined && lines[1] > longest
    ? ['lines-beyond-end', `points at line ${lines[1]} of ${file}, which has ${longest}`]
    : undefined;
}

function lintQuote(
  quote: string,
  locations: readonly Location[],
  documents: readonly ReviewedDocument[],
): Wrong {
  const text = normaliseText(quote);
  if (text.length < SHORTEST_QUOTE)
    return [
      'short-quote',
      `its quote has under ${SHORTEST_QUOTE} characters and identifies nothing by itself`,
    ];
  const files = locations.flatMap(({ file }) => (file === undefined ? [] : [pathParts(file)]));
  const meant =
    files.length === 0
      ? documents
      : documents.filter((one) => files.some((parts) => documentsOf([one], parts).length > 0));
  const spans = findQuote(meant, text);
  if (spans.length === 0)
    return ['quote-not-found', `its quote does not occur in the documents: "${shorten(quote)}"`];
  const declared = locations.flatMap(({ lines }) => (lines === undefined ? [] : [lines]));
  const found = spans.map(linesOf);
  if (declared.length === 0 || found.some((one) => declared.some((lines) => linesBetween(one, lines) === 0)))
    return undefined;
  return ['quote-elsewhere', `its quote stands at line ${found[0]?.[0]}, outside the lines it points at`];
}

function shorten(quote: string): string {
  return quote.length > 60 ? `${quote.slice(0, 59)}…` : quote;
}

/** A list as a sentence holds it: the first few and how many more. */
function few(items: readonly string[], most = 5): string {
  const more = items.length - most;
  return more > 0 ? `${items.slice(0, most).join(', ')} and ${more} more` : items.join(', ');
}
