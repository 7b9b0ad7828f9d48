import type { z } from 'zod';
import type { SessionJudgements } from '../../session/results.ts';
import type { sessionJudgements } from '../schema/judgement.ts';

export function encodeJudgements(result: SessionJudgements): z.infer<typeof sessionJudgements> {
  const { plan, judged, unjudged, allowed, spentUsd, warnings = [] } = result;
  return {
    format: 'assay-session-judgements',
    version: 1,
    model: plan.model,
    address: plan.address ?? null,
    author: plan.author,
    rubric: { name: plan.rubric.name, sha256: plan.rubric.sha256 },
    sessions: plan.of,
    judged_before: plan.known,
    asked: plan.asked,
    allowed,
    sessions_cost_usd: plan.costUsd ?? null,
    ceiling_usd: plan.ceilingUsd ?? null,
    spent_usd: spentUsd ?? null,
    judged: judged.map(({ sessionId, taskType, q, tier, rating, reason, costUsd }) => ({
      session_id: sessionId,
      task_type: taskType,
      q: q ?? null,
      tier: tier ?? null,
      judge_rating: rating ?? null,
      judge_reason: reason,
      cost_usd: costUsd ?? null,
    })),
    not_judged: unjudged.map(({ sessionId, why }) => ({ session_id: sessionId, why })),
    warnings: [...warnings],
  };
}
