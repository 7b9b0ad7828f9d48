import type { AttentionResult, NeedsAttention } from '../../operations/session/needs-attention.ts';
import { formatAmount, formatCount } from '../../report/number.ts';
import { type Block, type TableBlock, tableOf, type View } from '../../report/view.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { linesTable } from './session-list.ts';
import { BLIND_SPOT, LOWER_BOUND, TIERS } from './wording.ts';

const NONE = 'Nothing needs attention';

export function attentionView(found: AttentionResult, given?: SessionsGiven): View {
  const { listed, inAll, sessions } = found;
  const [first] = listed;
  return {
    title: 'Needs attention',
    answer:
      first === undefined
        ? `${NONE}: ${formatAmount(sessions, 'session')}.`
        : `${formatCount(inAll)} of ${formatAmount(sessions, 'session')} ${inAll === 1 ? 'needs' : 'need'} attention, the most serious and most expensive first.`,
    blocks: first === undefined ? [] : [attentionBlock(found)],
    notes: [
      ...(first === undefined ? [] : [TIERS]),
      ...(listed.some(({ costAtLeast }) => costAtLeast === 1) ? [LOWER_BOUND] : []),
      BLIND_SPOT,
    ],
    next: first === undefined ? nextStep('list', given) : nextStep('explain', given, { id: first.sessionId }),
  };
}

/** The same list wherever it stands. */
export function attentionBlock({ listed, inAll }: NeedsAttention, timezone?: string): Block {
  if (listed.length === 0) return { kind: 'list', title: NONE, items: [] };
  const title =
    inAll > listed.length
      ? `Needs attention: the first ${listed.length} of ${formatCount(inAll)}`
      : 'Needs attention';
  return linesTable(title, listed, { first: 'headline', timezone });
}

/** Every column, for programs. */
export function attentionTable({ listed }: NeedsAttention): TableBlock {
  return tableOf('Needs attention', listed, [
    { key: 'session_id' },
    { key: 'session_key' },
    { key: 'started_at' },
    { key: 'project' },
    { key: 'title' },
    { key: 'kind', of: ({ statements: [first] }) => first?.kind },
    { key: 'headline' },
    { key: 'q' },
    { key: 'tier' },
    { key: 'verified' },
    { key: 'cost_usd' },
  ]);
}
