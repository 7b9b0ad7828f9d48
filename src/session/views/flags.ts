import type { Flags } from '../../operations/session/flag-sessions.ts';
import { formatCount, formatScore } from '../../report/number.ts';
import { type TableBlock, tableOf, type View } from '../../report/view.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT, LOWER_BOUND } from './wording.ts';

/** More are shown to those who ask for all of them. */
export const SHOWN = 10;

/** Every column, for programs. */
export function flagTable({ flagged }: Flags): TableBlock {
  return tableOf(
    'Flagged',
    flagged,
    [
      { key: 'session_id', title: 'session', unit: 'name' },
      { key: 'session_key', title: 'key', unit: 'name' },
      { key: 'task_type', title: 'task' },
      { key: 'q', title: 'Q', unit: 'score', drawn: true },
      { key: 'cost_usd', title: 'cost', unit: 'usd' },
      { key: 'why' },
      { key: 'tier' },
      { key: 'verified' },
      {
        key: 'cost_usd_is_lower_bound',
        title: 'cost is a lower bound',
        of: ({ costUsd, costAtLeast }) => (costUsd === undefined ? undefined : String(costAtLeast === 1)),
      },
    ],
    { limit: SHOWN },
  );
}

/** For people, who need no key; the tier is a mark beside Q. */
function shownTable(flags: Flags): TableBlock {
  return tableOf(
    'Flagged',
    flags.flagged,
    [
      { key: 'session_id', title: 'session', unit: 'name' },
      { key: 'task_type', title: 'task' },
      { key: 'q', title: 'Q', unit: 'score', drawn: true, of: ({ q, tier }) => ({ score: q, tier }) },
      { key: 'verified' },
      { key: 'cost_usd', title: isLower(flags) ? 'cost ≥' : 'cost', unit: 'usd' },
      { key: 'why' },
    ],
    { limit: SHOWN },
  );
}

function isLower({ flagged }: Flags): boolean {
  return flagged.some(({ costAtLeast }) => costAtLeast === 1);
}

export function flagView(flags: Flags, given?: SessionsGiven): View {
  const { flagged, flaggedInAll, sessions, below } = flags;
  const [first] = flagged;
  return {
    title: 'Flags',
    answer: `${formatCount(flaggedInAll)} of ${formatCount(sessions)} sessions ${flaggedInAll === 1 ? 'has' : 'have'} a Q below ${formatScore(below)}.`,
    blocks: first === undefined ? [] : [shownTable(flags)],
    notes: [...(isLower(flags) ? [LOWER_BOUND] : []), BLIND_SPOT],
    next:
      first === undefined ? nextStep('score', given) : nextStep('explain', given, { id: first.sessionId }),
  };
}
