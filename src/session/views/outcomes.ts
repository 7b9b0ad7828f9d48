import { estimate, unmeasured } from '../../measure/metric.ts';
import type { Outcomes, SessionOutcome } from '../../operations/session/list-outcomes.ts';
import { formatCount } from '../../report/number.ts';
import { type ItemColumn, type TableBlock, tableOf, type View } from '../../report/view.ts';
import {
  evidenceOf,
  measurableFrom,
  type OutcomeState,
  SURVIVAL_DAYS,
  type SurvivalDays,
  type WorkOutcome,
} from '../outcomes/work-outcome.ts';
import { isoTime } from '../time-zone.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';

/** Every column, for programs; the same names as on the wire. */
export function outcomesTable({ outcomes }: Outcomes): TableBlock {
  return tableOf('Outcomes', outcomes, [
    { key: 'session_id', title: 'session', unit: 'name' },
    { key: 'session_key', title: 'key', unit: 'name', of: ({ key }) => key },
    { key: 'repository', unit: 'name' },
    ...LINES,
    ...SURVIVAL_DAYS.map((days) => survivalColumn(days, days === 1 ? '1 day' : `${days} days`)),
    { key: 'commits', of: ({ commits }) => commits.map(({ sha }) => sha).join(' ') },
    { key: 'reverted', of: ({ head, reverted }) => (head === undefined ? undefined : String(reverted)) },
    { key: 'state' },
    { key: 'reason' },
    { key: 'tellable_from', title: 'tellable from', of: (one) => isoTime(measurableFrom(one))?.slice(0, 10) },
    { key: 'evidence', of: (one) => evidenceOf(one).join(', ') },
    { key: 'judged_on', title: 'judged on', unit: 'name', of: ({ head }) => head },
    { key: 'known_until', title: 'known until', of: ({ knownUntil }) => isoTime(knownUntil) },
  ]);
}

const LINES: readonly ItemColumn<WorkOutcome>[] = [
  { key: 'lines_written', title: 'written', unit: 'count' },
  { key: 'lines_committed', title: 'committed', unit: 'count' },
  { key: 'lines_on_default', title: 'on default', unit: 'count' },
  { key: 'lines_surviving', title: 'surviving', unit: 'count' },
];

function survivalColumn(days: SurvivalDays, title: string): ItemColumn<WorkOutcome> {
  return {
    key: `survival_${days}d`,
    title,
    unit: 'ratio',
    of: ({ survival: { [days]: one } }) => ('share' in one ? estimate(one.share, 1) : unmeasured(one.reason)),
  };
}

/** What fits on a screen. */
function shownTable({ outcomes }: Outcomes): TableBlock {
  const { rows, ...table } = tableOf<SessionOutcome>(
    'What became of the work',
    outcomes,
    [
      { key: 'session', unit: 'id', of: ({ sessionId }) => sessionId },
      { key: 'state', of: ({ state, reverted }) => (reverted ? `${state}, reverted` : state) },
      ...LINES,
      survivalColumn(7, 'after 7 days'),
      {
        key: 'commits',
        unit: 'count',
        of: ({ head, commits }) => (head === undefined ? undefined : commits.length),
      },
    ],
    { limit: 40 },
  );
  // A page leads from a row to its session.
  return { ...table, rows: rows.map((row, i) => ({ ...row, session_key: outcomes[i]?.key })) };
}

export function outcomesView(result: Outcomes, given?: SessionsGiven): View {
  const { outcomes } = result;
  return {
    title: 'Outcomes',
    answer: answerOf(outcomes),
    blocks: outcomes.length === 0 ? [] : [shownTable(result)],
    notes: [
      ...whatIsLeft(outcomes),
      ...reasonsOf(outcomes),
      'A line counts when it says something (no braces, no blanks) and was not there before the session.',
    ],
    next: nextStep('score', given),
  };
}

function answerOf(outcomes: readonly WorkOutcome[]): string {
  if (outcomes.length === 0) return 'No session was found.';
  const count = (...states: readonly OutcomeState[]): number =>
    outcomes.filter(({ state }) => states.includes(state)).length;
  const told = count('on-default', 'committed', 'not-committed');
  if (told === 0)
    return `Of ${formatCount(outcomes.length)} sessions no repository says what became of their work.`;
  return `Of ${formatCount(told)} sessions whose work can be judged, that of ${formatCount(count('on-default'))} reached the default branch, of ${formatCount(count('committed'))} was only committed, of ${formatCount(count('not-committed'))} was thrown out.`;
}

/** Over all lines whose first week is known. */
function whatIsLeft(outcomes: readonly WorkOutcome[]): string[] {
  let [lines, left] = [0, 0];
  for (const { linesOnDefault = 0, survival } of outcomes) {
    if (!('share' in survival[7])) continue;
    lines += linesOnDefault;
    left += linesOnDefault * survival[7].share;
  }
  if (lines === 0) return [];
  return [
    `Of ${formatCount(lines)} lines that reached it, ${Math.round((100 * (lines - left)) / lines)}% were rewritten or taken out within a week.`,
  ];
}

const MOST_REASONS = 6;

/** Why rows say nothing, each reason once. */
function reasonsOf(outcomes: readonly WorkOutcome[]): string[] {
  const counts = new Map<string, number>();
  for (const { state, reason } of outcomes) {
    if (reason !== undefined && (state === 'unknown' || state === 'too-young'))
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_REASONS)
    .map(([reason, count]) => `${formatCount(count)} ${count === 1 ? 'session' : 'sessions'}: ${reason}.`);
}
