import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { formatCount } from '../../report/number.ts';
import type { Row, TableBlock, View } from '../../report/view.ts';
import {
  evidenceOf,
  type OutcomeState,
  type SurvivalDays,
  tellableFrom,
  type WorkOutcome,
} from '../outcomes/work-outcome.ts';
import type { Outcomes } from '../results.ts';
import { isoTime } from '../time-zone.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';

/** Every column, for programs; the same names as on the wire. */
export function outcomesTable({ outcomes }: Outcomes): TableBlock {
  return {
    kind: 'table',
    title: 'Outcomes',
    columns: [
      { key: 'session_id', title: 'session', unit: 'name' },
      { key: 'session_key', title: 'key', unit: 'name' },
      { key: 'repository', title: 'repository', unit: 'name' },
      { key: 'lines_written', title: 'written', unit: 'count' },
      { key: 'lines_committed', title: 'committed', unit: 'count' },
      { key: 'lines_on_default', title: 'on default', unit: 'count' },
      { key: 'lines_surviving', title: 'surviving', unit: 'count' },
      { key: 'survival_1d', title: '1 day', unit: 'ratio' },
      { key: 'survival_7d', title: '7 days', unit: 'ratio' },
      { key: 'survival_30d', title: '30 days', unit: 'ratio' },
      { key: 'commits', title: 'commits', unit: 'text' },
      { key: 'reverted', title: 'reverted', unit: 'text' },
      { key: 'state', title: 'state', unit: 'text' },
      { key: 'reason', title: 'reason', unit: 'text' },
      { key: 'tellable_from', title: 'tellable from', unit: 'text' },
      { key: 'evidence', title: 'evidence', unit: 'text' },
      { key: 'judged_on', title: 'judged on', unit: 'name' },
      { key: 'known_until', title: 'known until', unit: 'text' },
    ],
    rows: outcomes.map((one) => ({
      session_id: one.sessionId,
      session_key: one.key,
      repository: one.repository,
      ...linesOf(one),
      survival_1d: survivalOf(one, 1),
      survival_7d: survivalOf(one, 7),
      survival_30d: survivalOf(one, 30),
      commits: one.commits.map(({ sha }) => sha).join(' '),
      reverted: one.head === undefined ? undefined : String(one.reverted),
      state: one.state,
      reason: one.reason,
      tellable_from: isoTime(tellableFrom(one))?.slice(0, 10),
      evidence: evidenceOf(one).join(', '),
      judged_on: one.head,
      known_until: isoTime(one.knownUntil),
    })),
  };
}

function linesOf(one: WorkOutcome): Row {
  return {
    lines_written: one.linesWritten,
    lines_committed: one.linesCommitted,
    lines_on_default: one.linesOnDefault,
    lines_surviving: one.linesSurviving,
  };
}

function survivalOf({ survival }: WorkOutcome, days: SurvivalDays): Measurement {
  const one = survival[days];
  return 'share' in one ? estimate(one.share, 1) : unmeasured(one.reason);
}

/** What fits on a screen. */
function shownTable({ outcomes }: Outcomes): TableBlock {
  return {
    kind: 'table',
    title: 'What became of the work',
    limit: 40,
    columns: [
      { key: 'session', title: 'session', unit: 'id' },
      { key: 'state', title: 'state', unit: 'text' },
      { key: 'lines_written', title: 'written', unit: 'count' },
      { key: 'lines_committed', title: 'committed', unit: 'count' },
      { key: 'lines_on_default', title: 'on default', unit: 'count' },
      { key: 'lines_surviving', title: 'surviving', unit: 'count' },
      { key: 'survival_7d', title: 'after 7 days', unit: 'ratio' },
      { key: 'commits', title: 'commits', unit: 'count' },
    ],
    rows: outcomes.map((one) => ({
      session: one.sessionId,
      session_key: one.key,
      state: one.reverted ? `${one.state}, reverted` : one.state,
      ...linesOf(one),
      survival_7d: survivalOf(one, 7),
      commits: one.head === undefined ? undefined : one.commits.length,
    })),
  };
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
