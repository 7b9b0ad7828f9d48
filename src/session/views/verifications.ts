import { estimate, unmeasured } from '../../measure/metric.ts';
import type { Verifications, VerifiedSession } from '../../operations/session/verify-sessions.ts';
import { formatAmount, formatCount } from '../../report/number.ts';
import { type ItemColumn, type TableBlock, tableOf, type View } from '../../report/view.ts';
import { wilson } from '../../stats/intervals.ts';
import { outcomeOfVerification, VERIFY_RESULTS, type VerifyResult } from '../verify/verification.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';

/** Every column, for programs; the same names as on the wire. */
export function verificationsTable({ sessions }: Verifications): TableBlock {
  return tableOf('Verified sessions', sessions, [
    { key: 'session_id', title: 'session', unit: 'name' },
    { key: 'session_key', title: 'key', unit: 'name' },
    { key: 'project', unit: 'name' },
    { key: 'model', unit: 'name' },
    { key: 'started_at', title: 'started' },
    { key: 'result' },
    { key: 'outcome', unit: 'count', of: outcomeOfVerification },
    { key: 'reason' },
    { key: 'commit', unit: 'name' },
    { key: 'parent', unit: 'name' },
    { key: 'at' },
  ]);
}

export function verificationsView(result: Verifications, given?: SessionsGiven): View {
  const { sessions, command, checkouts, isolated, runs, uncommitted } = result;
  const isChecked = sessions.some(({ result: one }) => one !== 'could not check');
  return {
    title: 'Verified sessions',
    answer: answerOf(result),
    blocks: sessions.length === 0 ? [] : [...(isChecked ? [modelTable(sessions)] : []), shownTable(sessions)],
    notes: [
      ...(sessions.length === 0
        ? []
        : [
            `${command}: ran in ${formatAmount(checkouts.run, 'checkout')}, ${formatCount(checkouts.cached)} cached.`,
          ]),
      ...(isolated === false
        ? [
            'This system could not keep the command from writing outside its checkout (unshare is missing or not allowed).',
          ]
        : []),
      ...(uncommitted > 0
        ? [`${formatAmount(uncommitted, 'session')} without a known commit: not checked.`]
        : []),
      ...(runs === 1 && sessions.some((one) => one.result === 'broke' || one.result === 'fixed')
        ? ['Each side was checked once. A flaky check shows with --runs 3.']
        : []),
    ],
    next: nextStep('list', given),
  };
}

function answerOf({ sessions, uncommitted }: Verifications): string {
  if (sessions.length === 0)
    return uncommitted === 0
      ? 'No session was found.'
      : `Of ${formatAmount(uncommitted, 'session')} no commit is known, so nothing can be checked.`;
  const parts = VERIFY_RESULTS.flatMap((result) => {
    const n = count(sessions, result);
    return n === 0 ? [] : [`${formatCount(n)} ${result}`];
  });
  return `${formatAmount(sessions.length, 'session')}: ${parts.join(', ')}.`;
}

function count(sessions: readonly VerifiedSession[], result: VerifyResult): number {
  return sessions.filter((one) => one.result === result).length;
}

type OfModel = { readonly model: string; readonly own: readonly VerifiedSession[] };

/** Green: of the sessions that decided it. A check that stayed red says neither. */
function modelTable(sessions: readonly VerifiedSession[]): TableBlock {
  const models = [...Map.groupBy(sessions, ({ model }) => model ?? 'unknown')]
    .map(([model, own]): OfModel => ({ model, own }))
    .sort((a, b) => b.own.length - a.own.length || (a.model < b.model ? -1 : 1));
  return tableOf('By model', models, [
    { key: 'model', unit: 'name' },
    { key: 'sessions', unit: 'count', of: ({ own }) => own.length },
    ...VERIFY_RESULTS.map(
      (result): ItemColumn<OfModel> => ({
        key: result.replaceAll(' ', '_'),
        title: result,
        unit: 'count',
        of: ({ own }) => count(own, result),
      }),
    ),
    { key: 'green', title: 'green of decided', unit: 'ratio', of: ({ own }) => greenOf(own) },
  ]);
}

function greenOf(own: readonly VerifiedSession[]) {
  const green = count(own, 'fixed') + count(own, 'kept green');
  const decided = green + count(own, 'broke');
  return decided === 0
    ? unmeasured('none was decided')
    : estimate(green / decided, decided, wilson(green, decided) ?? {});
}

function shownTable(sessions: readonly VerifiedSession[]): TableBlock {
  const worstFirst: readonly VerifyResult[] = [
    'broke',
    'still red',
    'could not check',
    'fixed',
    'kept green',
  ];
  const sorted = sessions.toSorted((a, b) => worstFirst.indexOf(a.result) - worstFirst.indexOf(b.result));
  const { rows, ...table } = tableOf<VerifiedSession>(
    'Sessions',
    sorted,
    [
      { key: 'session', unit: 'id', of: ({ sessionId }) => sessionId },
      { key: 'model', unit: 'name' },
      { key: 'result' },
      { key: 'commit', unit: 'name', of: ({ commit }) => commit?.slice(0, 10) },
      { key: 'reason' },
    ],
    { limit: 40 },
  );
  // A page leads from a row to its session.
  return { ...table, rows: rows.map((row, i) => ({ ...row, session_key: sorted[i]?.sessionKey ?? '' })) };
}
