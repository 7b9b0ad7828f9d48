import type { z } from 'zod';
import type { Drift } from '../../decomposition/production/drift.ts';
import type { productionDrift } from '../schema/production-drift.ts';

export function encodeDrift(drift: Drift): z.infer<typeof productionDrift> {
  return {
    format: 'assay-production-drift',
    version: 1,
    before: drift.before,
    after: drift.after,
    level: drift.level,
    least_requests: drift.leastRequests,
    parts: drift.parts.map(({ what, verdict, ...part }) => ({
      what,
      before: part.before ?? null,
      after: part.after ?? null,
      most: part.most ?? null,
      stability: part.stability ?? null,
      p: part.p ?? null,
      verdict,
    })),
  };
}
