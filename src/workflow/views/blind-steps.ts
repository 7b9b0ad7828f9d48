/** Views of the steps of a blind evaluation, and of submitted answers. */
import { type Action, commandLine } from '../../report/action.ts';
import { formatAmount } from '../../report/number.ts';
import { plain } from '../../report/unsafe-text.ts';
import { type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { BlindSession } from '../blind/folder.ts';

import type { BlindFinding, BlindStarted, Material, shownStatement } from '../blind/material.ts';
import { shownCandidates } from '../blind/material.ts';
import type { Scope } from '../blind/protocol.ts';
import type { Submitted } from '../blind/steps.ts';
import type { Location } from '../truth.ts';

type Step = 'assess' | 'predict' | 'match' | 'status';

/** A step of the same evaluation, by the same evaluator. */
export function blindStep(step: Step, folder: string, options: Action['options'] = {}): Action {
  return { operation: `workflow blind ${step}`, positionals: [folder], options };
}

/** Answers can be entered one by one or read from a file. */
const ANSWER_NOTE = 'Answers may also come from a file: --file FILE.';

export function assessView(session: BlindSession, by: string | undefined): View {
  const table = findingsTable(session);
  return {
    title: 'Step 1: what does each finding say?',
    answer: `${formatAmount(table.rows.length, 'finding')} to assess. The ground truth stays sealed until you have answered all.`,
    blocks: [table],
    notes: [
      'For each: ERROR, NO_ERROR or CANNOT_TELL; what error it represents, the evidence, and HIGH, MEDIUM or LOW.',
      ANSWER_NOTE,
    ],
    next: [blindStep('assess', session.folder, { by, interactive: true })],
  };
}

export function predictView(session: BlindSession, by: string): View {
  const table = statementsTable(session);
  return {
    title: 'Step 2: will the review have caught it?',
    answer: `${formatAmount(table.rows.length, 'known error')}. Your assessments are sealed; a change from here on is recorded.`,
    blocks: [table],
    notes: ['For each: YES, MAYBE, NO or CANNOT_TELL, and why.', ANSWER_NOTE],
    next: [blindStep('predict', session.folder, { by, interactive: true })],
  };
}

export function matchView(session: BlindSession, by: string, scope: Scope, open: readonly string[]): View {
  return {
    title: 'Step 3: which error does each finding match?',
    answer:
      scope === 'disputes'
        ? `${formatAmount(open.length, 'disputed finding')} to label as a third opinion; all labels are stored.`
        : `${formatAmount(open.length, 'finding')} to match by objective criteria: place, quote, lines.`,
    blocks: [candidatesTable(session, open)],
    notes: [
      'Y full match, P partial match (both name the error), BONUS_VALID, FALSE, DUPLICATE, or UNRESOLVED if you cannot decide; each with a reason.',
      ANSWER_NOTE,
    ],
    next: [blindStep('match', session.folder, { by, interactive: true })],
  };
}

function findingsTable({ material }: BlindSession): TableBlock {
  return tableOf(
    'Findings',
    material.findings,
    [
      { key: 'id', unit: 'name' },
      { key: 'title', title: 'says', of: ({ finding }) => finding.title },
      { key: 'place', title: 'where', of: ({ finding }) => placeOf(finding) },
      { key: 'kind', title: 'said to be', of: ({ finding }) => kindOf(finding) || undefined },
    ],
    { limit: 10 },
  );
}

function kindOf({ severity, category, depth }: BlindFinding['finding']): string {
  return [severity, category, depth].filter((word) => word !== undefined).join(', ');
}

function statementsTable({ material }: BlindSession): TableBlock {
  return tableOf(
    'Known errors',
    material.truth.errors,
    [
      { key: 'id', title: 'error', unit: 'name' },
      { key: 'severity' },
      { key: 'category' },
      { key: 'description', title: 'statement' },
    ],
    { limit: 10 },
  );
}

/** One row per candidate, and one for a finding without candidates. */
function candidatesTable({ material }: BlindSession, open: readonly string[]): TableBlock {
  const titles = new Map(material.findings.map(({ id, finding }) => [id, finding.title]));
  const rows = open.flatMap((finding): ({ readonly finding: string } & Partial<Candidate>)[] => {
    const candidates = shownCandidates(material, finding);
    return candidates.length === 0 ? [{ finding }] : candidates.map((one) => ({ finding, ...one }));
  });
  return tableOf(
    'Candidates',
    rows,
    [
      { key: 'finding', unit: 'name' },
      { key: 'title', title: 'says', of: ({ finding }) => titles.get(finding) },
      { key: 'error', unit: 'name' },
      { key: 'strength', title: 'match' },
      { key: 'criteria', of: ({ criteria }) => criteria?.join(', ') ?? 'none' },
      { key: 'description', title: 'statement' },
    ],
    { limit: 10 },
  );
}

type Candidate = ReturnType<typeof shownCandidates>[number];

/** One known error, as the dialogue shows it. */
export function statementText(errors: readonly ReturnType<typeof shownStatement>[], id: string): string {
  const error = errors.find((one) => one.id === id);
  return error === undefined ? id : plain(`${id}  ${error.severity} ${error.category}: ${error.description}`);
}

/** One complete finding, as the dialogue shows it. */
export function findingText(material: Material, id: string): string {
  const found = material.findings.find((one) => one.id === id);
  if (found === undefined) return id;
  const { title, description, quote } = found.finding;
  const kind = kindOf(found.finding);
  return [
    `${id}  ${plain(title)}`,
    description !== undefined && `  ${plain(description)}`,
    kind !== '' && `  said to be: ${plain(kind)}`,
    `  where: ${plain(placeOf(found.finding))}`,
    quote !== undefined && `  quote: ${plain(quote)}`,
  ]
    .filter((line) => line !== false)
    .join('\n');
}

function placeOf({ file, section, lines }: Location): string {
  const [from, to] = lines ?? [];
  const span = from === to ? `line ${from}` : `lines ${from} to ${to}`;
  const place = [file, section, lines === undefined ? undefined : span];
  return place.filter((part) => part !== undefined).join(', ') || 'not said';
}

/** The candidates of one finding, as the dialogue shows them. */
export function candidatesText({ material }: BlindSession, finding: string): string {
  const candidates = shownCandidates(material, finding);
  if (candidates.length === 0) return '  No objective criterion links it to a known error.';
  return candidates
    .flatMap(({ error, strength, criteria, description = '', locations = [], quote }) => [
      `  ${plain(error)} ${strength === 'Y' ? 'full' : 'partial'} by ${criteria.join(', ')}: ${plain(description)}`,
      ...locations.map((place) => `    at ${plain(placeOf(place))}`),
      quote !== undefined && `    quote: ${plain(quote)}`,
    ])
    .filter((line) => line !== false)
    .join('\n');
}

/** The result of submitted answers, and the next step. */
export function submittedText({ missing, receipt }: Submitted, step: string, next: Action): string {
  if (receipt !== undefined) {
    return `Sealed. Receipt ${receipt}\nKeep the receipt elsewhere; blind verify --receipt tells whether the chain still\nholds it.\nNext: ${commandLine(next)}\n`;
  }
  const few = missing.slice(0, 5).join(', ');
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : '';
  return `Kept. To be answered before ${step} is sealed: ${few}${more}.\n`;
}

/** The started evaluation, and who continues. */
export function startedText(started: BlindStarted): string {
  const { folder, findings, reported, runs, errors, truthHash, receipt, evaluators } = started;
  return [
    `Blind evaluation in ${folder}: ${formatAmount(findings, 'finding')} of ${formatAmount(runs, 'run')} against ${formatAmount(errors, 'error')}.`,
    reported > findings && `  The runs have ${reported}; identical findings are judged once.`,
    `  Ground truth ${truthHash.slice(0, 12)}, sealed until every finding is assessed.`,
    `  Receipt ${receipt}`,
    '',
    'Keep evaluators away from the ground truth and the run files; they need only',
    'this folder.',
    `Next: ${commandLine(blindStep('assess', folder, { by: evaluators[0] }))}`,
    '',
  ]
    .filter((line) => line !== false)
    .join('\n');
}

/** The exported run files, and how to score them. */
export function exportedText(
  paths: readonly string[],
  truthHash: string,
  out: string,
  truth: string | undefined,
): string {
  const next: Action =
    truth === undefined
      ? { operation: 'workflow lint', positionals: [out] }
      : { operation: 'workflow score', options: { truth, runs: out } };
  return [
    `${formatAmount(paths.length, 'run')} with every label and its author, against ground truth ${truthHash.slice(0, 12)}:`,
    ...paths.map((path) => `  ${path}`),
    `Next: ${commandLine(next)}`,
    '',
  ].join('\n');
}
