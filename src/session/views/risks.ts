import type { RiskList, RiskyAction } from '../../operations/session/list-risks.ts';
import { formatAmount } from '../../report/number.ts';
import { type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { RiskKind } from '../evidence.ts';
import { timeOf } from '../session-groups.ts';
import { dayIn, UTC } from '../time-zone.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { projectNames, shortIds } from './wording.ts';

const WORDS: Readonly<Record<RiskKind, string>> = {
  'discarded-changes': 'discarded changes',
  'deleted-files': 'deleted files',
  'force-push': 'force-pushed',
  'tests-removed': 'removed tests',
  'tests-weakened': 'skipped tests',
  'assertions-removed': 'took assertions out',
  'checks-disabled': 'switched a check off',
  'hooks-skipped': 'skipped commit hooks',
};

/** More are in the other formats. */
export const RISKS_SHOWN = 20;

export function risksView(list: RiskList, given?: SessionsGiven, timezone: string = UTC): View {
  const { risks, inAll, sessions } = list;
  const names = projectNames(risks.map(({ session }) => session));
  const ids = shortIds(risks.map(({ session }) => session.sessionId));
  const [first] = risks;
  return {
    title: 'Risky actions',
    answer:
      inAll === 0
        ? `No risky action in ${formatAmount(sessions, 'session')}.`
        : `${formatAmount(inAll, 'risky action')} in ${formatAmount(sessions, 'session')}, the newest first.`,
    blocks:
      first === undefined
        ? []
        : [
            tableOf('Risky actions', risks, [
              {
                key: 'id',
                title: 'session',
                unit: 'name',
                min: 8,
                max: 16,
                priority: 1,
                of: ({ session }) => ids.get(session.sessionId),
              },
              {
                key: 'day',
                title: 'date',
                unit: 'day',
                priority: 4,
                of: ({ session }) => dayIn(timeOf(session.startedAt), timezone),
              },
              {
                key: 'project',
                unit: 'name',
                max: 14,
                priority: 5,
                of: ({ session: { project } }) => project && (names.get(project) ?? project),
              },
              { key: 'kind', title: 'what', priority: 1, of: ({ kind }) => WORDS[kind] },
              { key: 'line', unit: 'count', priority: 2 },
              { key: 'quote', title: 'action', below: true },
              // A page links to the session.
              given === undefined && {
                key: 'session_key',
                title: 'key',
                unit: 'name',
                priority: 9,
                of: ({ session }) => session.sessionKey,
              },
            ]),
          ],
    notes: [
      'Actions that could destroy work or hide a fault, and that nobody had asked for. Most of them are harmless: read the line.',
      ...(inAll > risks.length ? [`${formatAmount(inAll - risks.length, 'more action')}: --all.`] : []),
    ],
    next:
      first === undefined
        ? nextStep('attention', given)
        : nextStep('explain', given, { id: first.session.sessionId }),
  };
}

/** Every column, for programs. */
export function riskTable({ risks }: { readonly risks: readonly RiskyAction[] }): TableBlock {
  return tableOf('Risky actions', risks, [
    { key: 'session_id', of: ({ session }) => session.sessionId },
    { key: 'session_key', of: ({ session }) => session.sessionKey },
    { key: 'title', of: ({ session }) => session.title },
    { key: 'project', of: ({ session }) => session.project },
    { key: 'model', of: ({ session }) => session.model },
    { key: 'started_at', of: ({ session }) => session.startedAt },
    { key: 'kind' },
    { key: 'line' },
    { key: 'quote' },
  ]);
}
