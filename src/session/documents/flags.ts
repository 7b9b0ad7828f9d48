import type { Document, TableBlock } from '../../report/document.ts';
import { formatCount, formatScore } from '../../report/number.ts';
import type { Flags } from '../results.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT } from './wording.ts';

/** More are shown to those who ask for all of them. */
export const SHOWN = 10;

/** Every column, for programs. */
export function flagTable({ flagged }: Flags): TableBlock {
  return {
    kind: 'table',
    title: 'Flagged',
    limit: SHOWN,
    columns: [
      { key: 'session_id', header: 'session', style: 'name' },
      { key: 'session_key', header: 'key', style: 'name' },
      { key: 'task_type', header: 'task', style: 'text' },
      { key: 'q', header: 'Q', style: 'score' },
      { key: 'cost_usd', header: 'cost', style: 'usd' },
      { key: 'why', header: 'why', style: 'text' },
    ],
    rows: flagged.map(({ key, sessionId, taskType, q, costUsd, why }) => ({
      session_id: sessionId,
      session_key: key,
      task_type: taskType,
      q,
      cost_usd: costUsd,
      why,
    })),
  };
}

/** For people, who need no key. */
function shownTable(flags: Flags): TableBlock {
  const table = flagTable(flags);
  return { ...table, columns: table.columns.filter(({ key }) => key !== 'session_key') };
}

export function flagDocument(flags: Flags, given?: SessionsGiven): Document {
  const { flagged, flaggedInAll, sessions, below } = flags;
  const [first] = flagged;
  return {
    title: 'Flags',
    answer: `${formatCount(flaggedInAll)} of ${formatCount(sessions)} sessions ${flaggedInAll === 1 ? 'has' : 'have'} a Q below ${formatScore(below)}.`,
    blocks: first === undefined ? [] : [shownTable(flags)],
    notes: [BLIND_SPOT],
    next:
      first === undefined ? nextStep('score', given) : nextStep('explain', given, { id: first.sessionId }),
  };
}
