/** How the score of a workflow is told to people. */
import type { Verdict } from '../../judge/verdict.ts';
import type { Measurement } from '../../measure/metric.ts';
import type { Action } from '../../report/action.ts';
import type { Document } from '../../report/document.ts';
import { formatAmount, formatPercent } from '../../report/number.ts';
import { bandOf } from '../bands.ts';
import type { Mapping } from '../ingest/mapping.ts';
import type { Minimums } from '../policy.ts';
import { RUNS_FOR_STABILITY } from '../stability.ts';
import type { ScoreSummary } from '../summary.ts';
import type { GroundTruth } from '../truth.ts';
import { inSameStore, onSameReviews, type Typed } from './next-steps.ts';
import { countsTable, mappingBlock, matchesTable, missedBlock } from './score-matches.ts';
import { experimentTable, rowOf, stabilityBlock } from './score-metrics.ts';
import { notesOf, unjudgedText, unresolvedOf } from './score-notes.ts';
import { writtenOutBlock } from './written-out.ts';

export type Scored = {
  readonly truth: GroundTruth;
  readonly verdict: Verdict;
  readonly summary: ScoreSummary;
  readonly minimums: Minimums;
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
};

const SCORE_NAMES = 'DR WDS TE CE P DIS DQ CC FC OES SD RS'.split(' ');

export function scoreDocument(scored: Scored, typed?: Typed): Document {
  const { truth, summary, verdict, minimums } = scored;
  // Without minimums nothing was asked for, so nothing was passed either.
  const gate = minimums.size > 0 ? verdict.gate : undefined;
  return {
    title: `${verdict.subject} on ${truth.task}: ${formatAmount(summary.runs.length, 'run')}`,
    ...(gate && { verdict: gate.verdict }),
    answer: [
      ...(gate?.reasons ?? []).map((reason) => `${reason}.`),
      ...(gate === undefined ? [] : unjudgedText(summary)),
      ...(truth.draft === undefined
        ? []
        : ['The ground truth is a draft that nobody has corrected: this proves nothing yet.']),
      answerOf(scored),
    ].join(' '),
    blocks: [
      experimentTable(summary),
      writtenOutBlock(SCORE_NAMES),
      ...stabilityBlock(summary),
      countsTable(summary),
      ...missedBlock(summary, truth),
      matchesTable(summary),
      ...mappingBlock(scored.mappings),
    ],
    notes: notesOf(scored),
    next: typed ? nextOf(summary, typed) : [],
  };
}

function nextOf(summary: ScoreSummary, typed: Typed): Action[] {
  // A blind evaluation takes the whole of what it is given, in formats that need no mapping.
  const { workflow, mapping } = typed.given;
  const blind = unresolvedOf(summary) > 0 && workflow === undefined && mapping === undefined;
  return [
    onSameReviews('workflow heatmap', typed),
    ...(blind ? [onSameReviews('workflow blind start', typed)] : []),
    inSameStore('workflow history', typed),
  ];
}

function answerOf({ truth, summary }: Pick<Scored, 'truth' | 'summary'>): string {
  const { overall } = rowOf(summary, 'dr');
  const runs = summary.runs.length;
  const errors = formatAmount(truth.errors.length, 'known error');
  if (!overall.measured) return `Nothing could be scored: ${overall.reason}.`;
  const band = bandOf('dr', overall.value);
  const interval = intervalsText(summary);
  const found = `It finds ${formatPercent(overall.value)} of ${errors}${interval}`;
  if (runs < RUNS_FOR_STABILITY) {
    return `${found}. ${formatAmount(runs, 'run')} ${runs === 1 ? 'is' : 'are'} too few to call the workflow assessed: ${RUNS_FOR_STABILITY} runs on the same task are needed.`;
  }
  return `${found}: ${band?.word}, ${band?.meaning}. ${summary.stability === undefined ? '' : `Over ${runs} runs it is ${summary.stability}.`}`.trim();
}

/** Each with what it covers: runs of the same review on the same errors vary less than other errors would. */
function intervalsText(summary: ScoreSummary): string {
  const overRuns = rowOf(summary, 'dr').overall;
  const overErrors = summary.across.find(({ key }) => key === 'dr_over_errors')?.overall;
  const ends = (one: Measurement | undefined, what: string) =>
    one?.measured !== true || one.low === undefined || one.high === undefined
      ? []
      : [`${formatPercent(one.low)} to ${formatPercent(one.high)} ${what}`];
  const parts = [
    ...(summary.runs.length < 2 ? [] : ends(overRuns, 'over runs (run noise only)')),
    ...ends(overErrors, 'over errors (choice of errors and run noise)'),
  ];
  return parts.length === 0 ? '' : `, 95% interval ${parts.join(', ')}`;
}
