/** The view of a leaderboard. */

import { formatAmount, formatCount, formatRatio, formatScore } from '../../report/number.ts';
import { inWords } from '../../report/text.ts';
import { type ItemColumn, type TableBlock, tableOf, type View } from '../../report/view.ts';
import { ALPHA, type Leaderboard, type LeaderboardRow, type RankedWorkflows } from '../leaderboard.ts';
import { onSameReviews, type Typed } from './next-steps.ts';
import { withoutInterval } from './score-metrics.ts';

export function leaderboardView({ name, leaderboard, counted, notes }: RankedWorkflows, typed?: Typed): View {
  return {
    title: `Leaderboard: ${name}`,
    answer: answerOf(leaderboard),
    blocks: [peopleTable(leaderboard), { ...pairTable(leaderboard), limit: 10 }],
    notes: [...notesOf(leaderboard, counted), ...notes],
    next: counted || typed === undefined ? [] : [onSameReviews('workflow report', typed)],
  };
}

function answerOf({ rows, pairs, tasks }: Leaderboard): string {
  const [first, ...others] = rows;
  if (first === undefined || !first.f1.measured) return 'No workflow could be measured.';
  const size = `${formatAmount(rows.length, 'workflow')} on ${formatAmount(tasks.length, 'task')}`;
  const leads = `${first.workflow} has the highest F1, ${formatScore(first.f1.value)} (${size}).`;
  if (others.length === 0) return leads;
  const beaten = new Set(
    pairs.flatMap(({ better, worse, holm }) => (better === first.workflow && holm < ALPHA ? [worse] : [])),
  );
  const near = others.filter(({ workflow }) => !beaten.has(workflow)).map(({ workflow }) => workflow);
  if (near.length === 0) return `${leads} It is better than every other one.`;
  const named = near.length > 3 ? [...near.slice(0, 3), formatAmount(near.length - 3, 'other')] : near;
  return `${leads} It does not differ significantly from ${inWords(named)}.`;
}

/** Fits into 80 columns: the interval of precision is only in the other formats. */
function peopleTable(leaderboard: Leaderboard): TableBlock {
  const isCosted = ({ costPerError, timePerError }: LeaderboardRow) =>
    costPerError.measured || timePerError.measured;
  const shown = leaderboard.rows.some(isCosted)
    ? rowColumns
    : rowColumns.filter(({ key }) => !COST_KEYS.has(key));
  return tableOf(
    'Workflows over tasks',
    leaderboard.rows,
    shown.map((column) =>
      column.key === 'precision'
        ? { ...column, title: 'P', of: ({ precision }) => withoutInterval(precision) }
        : column,
    ),
  );
}

export function leaderboardTable({ rows }: Leaderboard): TableBlock {
  return tableOf('Workflows over tasks', rows, rowColumns);
}

const rowColumns: readonly ItemColumn<LeaderboardRow>[] = [
  { key: 'workflow', unit: 'name' },
  { key: 'tasks', unit: 'count' },
  { key: 'f1', title: 'F1 [95%]', unit: 'score' },
  { key: 'dr', title: 'DR [95%]', unit: 'percent' },
  { key: 'precision', title: 'P [95%]', unit: 'score' },
  { key: 'cost_per_error', title: 'cost/error', unit: 'usd', of: ({ costPerError }) => costPerError },
  { key: 'time_per_error', title: 'time/error', unit: 'duration-ms', of: ({ timePerError }) => timePerError },
  { key: 'frontier', of: ({ onFrontier }) => (onFrontier === undefined ? '' : onFrontier ? 'yes' : 'no') },
  { key: 'better', unit: 'count', of: ({ betterThan }) => betterThan },
  { key: 'worse', unit: 'count', of: ({ worseThan }) => worseThan },
  { key: 'runs', unit: 'count' },
  { key: 'unjudged', unit: 'ratio' },
];

const COST_KEYS = new Set(['cost_per_error', 'time_per_error', 'frontier']);

export function pairTable({ pairs }: Leaderboard): TableBlock {
  return tableOf('Pairs, corrected for their number (Holm)', pairs, [
    { key: 'better', title: 'higher F1', unit: 'name' },
    { key: 'worse', title: 'lower F1', unit: 'name' },
    { key: 'difference', unit: 'score' },
    { key: 'tasks', unit: 'count' },
    { key: 'p', unit: 'p-value' },
    { key: 'holm', title: 'p (Holm)', unit: 'p-value' },
  ]);
}

function notesOf({ rows, pairs, incomplete }: Leaderboard, counted: boolean): string[] {
  const unjudged = rows.filter(({ unjudged: share }) => share > 0);
  const most = unjudged.toSorted((a, b) => b.unjudged - a.unjudged)[0];
  const missing = incomplete.map((one) => `${one.workflow} (${one.missing} missing)`);
  return [
    'F1 is the harmonic mean of the detection rate (DR) and precision (P). All three are pooled over tasks, every task once however often it was run; a silent workflow has F1 0.',
    'Intervals draw the tasks again: they cover the choice of tasks and the noise of their runs. They need two tasks.',
    `Better and worse: than how many others, at p below ${ALPHA} after Holm for ${formatAmount(pairs.length, 'pair')}; the test exchanges the two within tasks.`,
    most !== undefined &&
      `Unjudged findings count against P: ${formatRatio(most.unjudged)} of those of ${most.workflow}, the most of ${formatCount(unjudged.length)}.`,
    missing.length > 0 &&
      `Not run on every task: ${inWords(missing)}. Pairs are compared on the tasks that both have.`,
    rows.some(({ onFrontier }) => onFrontier !== undefined) &&
      'On the frontier: no other workflow finds as many errors for less money per run.',
    counted && 'Only counts were given: findings have no identity, so DR, P and F1 are all that can be had.',
  ].filter((note) => note !== false);
}
