import { formatCount, formatScore } from '../../report/number.ts';
import type { TableBlock, View } from '../../report/view.ts';
import type { Flags } from '../results.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT, LOWER_BOUND } from './wording.ts';

/** More are shown to those who ask for all of them. */
export const SHOWN = 10;

/** Every column, for programs. */
export function flagTable({ flagged }: Flags): TableBlock {
  return {
    kind: 'table',
    title: 'Flagged',
    limit: SHOWN,
    columns: [
      { key: 'session_id', title: 'session', unit: 'name' },
      { key: 'session_key', title: 'key', unit: 'name' },
      { key: 'task_type', title: 'task', unit: 'text' },
      { key: 'q', title: 'Q', unit: 'score', drawn: true },
      { key: 'cost_usd', title: 'cost', unit: 'usd' },
      { key: 'why', title: 'why', unit: 'text' },
      { key: 'tier', title: 'tier', unit: 'text' },
      { key: 'cost_usd_is_lower_bound', title: 'cost is a lower bound', unit: 'text' },
    ],
    rows: flagged.map(({ sessionKey, sessionId, taskType, q, tier, costUsd, costAtLeast, why }) => ({
      session_id: sessionId,
      session_key: sessionKey,
      task_type: taskType,
      q,
      cost_usd: costUsd,
      why,
      tier,
      cost_usd_is_lower_bound: costUsd === undefined ? undefined : String(costAtLeast === 1),
    })),
  };
}

const FOR_PROGRAMS: ReadonlySet<string> = new Set(['session_key', 'tier', 'cost_usd_is_lower_bound']);

/** For people, who need no key; the tier is a mark beside Q. */
function shownTable(flags: Flags): TableBlock {
  const { columns, rows, ...table } = flagTable(flags);
  const cost = isLower(flags) ? 'cost ≥' : 'cost';
  return {
    ...table,
    columns: columns
      .filter(({ key }) => !FOR_PROGRAMS.has(key))
      .map((column) => (column.key === 'cost_usd' ? { ...column, title: cost } : column)),
    rows: rows.map((row, i) => ({ ...row, q: { score: flags.flagged[i]?.q, tier: flags.flagged[i]?.tier } })),
  };
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
