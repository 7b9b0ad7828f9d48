import type { Document } from '../../report/document.ts';
import { formatCount } from '../../report/number.ts';
import type { JudgingPlan, SessionJudgements } from '../results.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT } from './wording.ts';

export function judgementsDocument(result: SessionJudgements, file: string, given?: SessionsGiven): Document {
  const { judged, unjudged, warnings = [] } = result;
  return {
    title: 'What a model says of sessions',
    answer: answerOf(result),
    blocks: [
      {
        kind: 'table',
        title: 'Ratings',
        columns: [
          { key: 'session', header: 'session', style: 'id' },
          { key: 'type', header: 'task type', style: 'text' },
          { key: 'q', header: 'Q', style: 'score' },
          { key: 'rating', header: 'model, 1–5', style: 'count' },
          { key: 'reason', header: 'why', style: 'text' },
        ],
        rows: judged.map(({ sessionId, taskType, q, rating, reason }) => ({
          session: sessionId,
          type: taskType,
          q,
          rating,
          reason,
        })),
      },
    ],
    notes: [
      'The model saw a digest without Q, and its rating is no part of Q.',
      BLIND_SPOT,
      ...costNotes(result),
      ...unjudged.map(({ sessionId, why }) => `${sessionId} was not judged: ${why}.`),
      ...warnings.map((warning) => `${warning}.`),
    ],
    next: judged.length === 0 ? [] : nextStep('validate', given, { options: { ratings: file } }),
  };
}

function answerOf({ judged, plan, allowed }: SessionJudgements): string {
  const { of, known, asked, model, costUsd, ceilingUsd } = plan;
  if (!allowed) return 'Nothing was sent.';
  const before = known === 0 ? '' : ` ${formatCount(known)} were judged before.`;
  if (asked === 0) {
    const share =
      costUsd === undefined || ceilingUsd === undefined || known === of
        ? ''
        : ` 5% of what they cost leaves $${ceilingUsd.toFixed(4)}, less than one rating takes.`;
    return `None of ${formatCount(of)} sessions was judged.${before}${share}`;
  }
  const unsure = judged.filter((one) => one.rating === undefined).length;
  const told = unsure === 0 ? '' : `, and could not tell for ${formatCount(unsure)}`;
  return `${model} rated ${formatCount(judged.length - unsure)} of ${formatCount(of)} sessions${told}.${before}`;
}

function costNotes({ allowed, plan, spentUsd }: SessionJudgements): string[] {
  if (spentUsd !== undefined) return [spentNote(spentUsd, plan)];
  // Without a price there is no ceiling either.
  return allowed && plan.asked > 0 && plan.ceilingUsd === undefined
    ? [
        `The price of ${plan.model} is not known, so it cannot be checked that the ratings cost at most 5% of what the sessions cost.`,
      ]
    : [];
}

function spentNote(spentUsd: number, { costUsd }: JudgingPlan): string {
  const spent = `$${spentUsd.toFixed(4)} was spent`;
  return costUsd === undefined || costUsd === 0
    ? `${spent}.`
    : `${spent}, ${((100 * spentUsd) / costUsd).toFixed(2)}% of the $${costUsd.toFixed(2)} that the sessions cost; 5% is the most.`;
}
