/** Many sessions in four numbers. */
import type { Tile } from '../../report/document.ts';
import { formatCount, formatScore, formatUsd } from '../../report/number.ts';
import type { QualitySummary } from '../summary.ts';
import { ALL_SESSIONS } from './session-table.ts';

export function summaryTiles({ n, q, cost, coverage }: QualitySummary): Tile[] {
  return [
    ...(q === undefined
      ? []
      : [
          {
            label: 'Q, median',
            value: q.median,
            style: 'score',
            madeOf: ALL_SESSIONS,
            ...sharesOf(q),
          } as const,
        ]),
    ...(cost === undefined
      ? []
      : [
          {
            label: cost.isLowerBound ? 'Cost, at least' : 'Cost',
            value: cost.totalUsd,
            style: 'usd',
            madeOf: ALL_SESSIONS,
            aside: `${formatUsd(cost.meanUsd)} a session${cost.unknown > 0 ? ` · unknown in ${formatCount(cost.unknown)}` : ''}`,
          } as const,
        ]),
    ...(coverage === undefined
      ? []
      : [
          {
            label: 'Outcome known',
            value: 1 - coverage.withoutOutcome,
            style: 'ratio',
            madeOf: ALL_SESSIONS,
            aside: `median coverage ${formatScore(coverage.median)} · low confidence in ${whole(coverage.lowShare)}`,
          } as const,
        ]),
    { label: 'Sessions', value: n, style: 'count', madeOf: ALL_SESSIONS },
  ];
}

function whole(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** Good where something good was seen; not seen against is not good. */
function sharesOf(q: NonNullable<QualitySummary['q']>): Pick<Tile, 'parts' | 'aside'> {
  const { goodShare, unprovenShare, poorShare } = q;
  const between = Math.max(0, 1 - goodShare - unprovenShare - poorShare);
  return {
    parts: [
      { label: 'good or better', share: goodShare, tone: 'good' },
      { label: 'nothing seen against it', share: unprovenShare, tone: 'quiet' },
      { label: 'acceptable', share: between, tone: 'caution' },
      { label: 'poor or failed', share: poorShare, tone: 'bad' },
    ],
    aside: `good or better ${whole(goodShare)} · poor or failed ${whole(poorShare)}`,
  };
}
