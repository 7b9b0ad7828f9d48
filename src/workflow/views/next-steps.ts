import { type Action, carry, type Given } from '../../report/action.ts';
import { formatAmount, formatCount } from '../../report/number.ts';
import { tableOf, type View } from '../../report/view.ts';
import type { DraftedTruth } from '../draft-truth.ts';
import type { SeededTruths } from '../plant-errors.ts';
import { RUNS_TO_CONFIRM } from '../reports/confirmed-findings.ts';
import type { ExportedFindings, SarifExport } from '../reports/sarif.ts';
import type { ImportedPullRequest } from '../review.ts';
import type { SuggestedMapping } from '../suggest-mapping.ts';

/** What the user typed: words and options. A next step uses the same inputs; without them there is none. */
export type Typed = { readonly words: readonly string[]; readonly given: Given };

const REVIEWS = ['experiment', 'truth', 'runs', 'documents', 'mapping', 'workflow', 'line-tolerance'];

/** The options that decide the numbers of a report. */
const REPORTED = ['oes', 'baseline'];
const PLACES = ['store', 'config'];

/** Another operation on the same reviews. */
export function onSameReviews(
  operation: string,
  { words, given }: Typed,
  more: Action['options'] = {},
): Action {
  const reported = operation === 'workflow report' ? carry(given, REPORTED) : {};
  return { operation, positionals: words, options: { ...carry(given, REVIEWS), ...reported, ...more } };
}

/** Another operation on the same store. */
export function inSameStore(operation: string, { given }: Typed, more: Action['options'] = {}): Action {
  return { operation, options: { ...more, ...carry(given, PLACES) } };
}

/** Names come from files and are untrusted: only letters, digits and a few marks may appear in a command to copy. */
export function isPlainName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N} ._:@+-]*$/u.test(name);
}

/** The drafted ground truth, and what the user must still decide. */
export function truthDraftView({ path, review, truth, guessed }: DraftedTruth): View {
  return {
    title: `Draft of ${truth.task}`,
    answer: `${path} is a draft with ${formatAmount(truth.errors.length, 'error')}. Correct it, then delete its "draft" line: no gate passes on a draft.`,
    blocks: [],
    notes: [
      `They come from ${review}. A review that is scored against its own findings is always right: add what it missed, and traps.`,
      guessed > 0 &&
        `${formatAmount(guessed, 'finding')} had no severity or no category and got IMPORTANT or the first category.`,
    ].filter((note) => note !== false),
    next: [{ operation: 'workflow lint', positionals: [path] }],
  };
}

export function importedPullRequestView({ path, task, runs }: ImportedPullRequest): View {
  return {
    title: `Comments of ${task}`,
    answer: `${path} has the comments of ${formatAmount(runs.length, 'author')}. Each author is a workflow, unless you name one with --workflow.`,
    blocks: [
      tableOf(
        'Authors',
        runs,
        [
          { key: 'workflow', unit: 'name' },
          { key: 'findings', unit: 'count' },
        ],
        { limit: 20 },
      ),
    ],
    notes: [],
    next: [{ operation: 'workflow lint', positionals: [path] }],
  };
}

export function seededView({ folder, tasks, skipped }: SeededTruths): View {
  const errors = tasks.reduce((sum, one) => sum + one.errors, 0);
  return {
    title: 'Seeded ground truths',
    answer: `${folder} has ${formatAmount(tasks.length, 'task')} with ${formatAmount(errors, 'error')}, as drafts. Correct each, then delete its "draft" line: no gate passes on a draft.`,
    blocks: [
      tableOf('Tasks', tasks, [{ key: 'task' }, { key: 'errors', unit: 'count' }, { key: 'truth' }], {
        limit: 20,
      }),
    ],
    notes: [
      'Let your reviews read documents/, not the files that the errors were planted into or that the fix corrected.',
      ...(skipped.length === 0
        ? []
        : [
            `Skipped, because this machine cannot check them: ${skipped.slice(0, 5).join(', ')}${skipped.length > 5 ? ` and ${formatCount(skipped.length - 5)} more` : ''}.`,
          ]),
    ],
    next: [{ operation: 'workflow lint', positionals: [folder] }],
  };
}

/** Unknown categories of other tools, and what to do about them. */
export function mappingView({ unmapped, path }: SuggestedMapping, typed: Typed): View {
  const findings = unmapped.reduce((sum, one) => sum + one.findings, 0);
  return {
    title: 'Categories without a mapping',
    answer:
      unmapped.length === 0
        ? 'The ground truth knows every category that findings name.'
        : `${formatAmount(findings, 'finding')} have ${formatAmount(unmapped.length, 'category', 'categories')} that the ground truth does not know; they count as findings without one.${path === undefined ? '' : ` ${path} is a mapping to correct.`}`,
    blocks: [
      tableOf(
        'Categories',
        unmapped,
        [
          { key: 'category', unit: 'name' },
          { key: 'findings', unit: 'count' },
          { key: 'suggested', unit: 'name' },
        ],
        { limit: 20 },
      ),
    ],
    notes: [
      'Suggestions use only the names, not the matched errors: a mapping fitted to the known errors would inflate the detection rate.',
    ],
    next: path === undefined ? [] : [onSameReviews('workflow report', typed, { mapping: path })],
  };
}

export function tooFewNote({ workflow, task, runs }: ExportedFindings['tooFew'][number]): string {
  return `${workflow} on ${task}: ${formatAmount(runs, 'run')} confirms nothing, ${RUNS_TO_CONFIRM} are needed.`;
}

/** What was written, and what was skipped. */
export function exportNotes({ results, withoutFile, beyondLimit, withoutSeverity }: SarifExport): string[] {
  return [
    `${formatAmount(results, 'confirmed finding')}.`,
    withoutFile > 0 &&
      `${formatCount(withoutFile)} more name no file and were skipped, because GitHub rejects results without one.`,
    beyondLimit > 0 &&
      `${formatCount(beyondLimit)} more, the least severe, were skipped to stay within GitHub's limits.`,
    withoutSeverity > 0 && `${formatAmount(withoutSeverity, 'finding')} without a severity became warnings.`,
  ].filter((note) => note !== false);
}
