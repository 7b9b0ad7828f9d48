import type { SentScores, SentTo } from '../../operations/session/send-scores.ts';
import { carry } from '../../report/action.ts';
import { formatAmount } from '../../report/number.ts';
import { type TableBlock, tableOf, type View } from '../../report/view.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';

const TITLES: Readonly<Record<SentTo['target'], string>> = {
  webhook: 'the webhook',
  evaluations: 'the OpenTelemetry collector',
  langfuse: 'Langfuse',
  phoenix: 'Phoenix',
};

export function sentView(sent: SentScores, given: SessionsGiven): View {
  const { sessions, unmeasured, targets } = sent;
  const isWaiting = targets.some(({ waiting }) => waiting > 0);
  return {
    title: 'Scores sent',
    answer: sessions === 0 ? 'No such session is in the store.' : targets.map(sayTarget).join(' '),
    blocks: sessions === 0 ? [] : [targetTable(sent)],
    notes: [
      ...(unmeasured > 0
        ? [
            `${formatAmount(unmeasured, 'session')} with neither a Q nor an outcome: nothing is sent of what was not measured.`,
          ]
        : []),
      ...(isWaiting
        ? ['What waits is in the store: the next call sends it, and so does a server with the same settings.']
        : []),
    ],
    next:
      sessions === 0
        ? nextStep('score', given)
        : isWaiting
          ? nextStep('send', given, { options: carry(given.options, ['to']) })
          : [],
  };
}

function sayTarget({ target, sent, sentBefore, refused, waiting, why }: SentTo): string {
  const parts = [
    `was given ${formatAmount(sent, 'session')}`,
    ...(sentBefore > 0 ? [`had ${sentBefore} before`] : []),
    ...(refused > 0 ? [`refused ${refused}`] : []),
    ...(waiting > 0 ? [`has still to take ${waiting}`] : []),
  ];
  const said = why === undefined ? '' : ` (${why})`;
  const name = TITLES[target];
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${parts.join(', ')}${said}.`;
}

function targetTable({ targets }: SentScores): TableBlock {
  return tableOf('Sessions', targets, [
    { key: 'target', title: 'to', of: ({ target }) => TITLES[target] },
    { key: 'sent', unit: 'count' },
    { key: 'before', title: 'sent before', unit: 'count', of: ({ sentBefore }) => sentBefore },
    { key: 'refused', unit: 'count' },
    { key: 'waiting', unit: 'count' },
  ]);
}
