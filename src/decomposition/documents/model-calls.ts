import { formatAmount, formatCount, formatUsd } from '../../report/number.ts';
import type { LlmCounts } from '../ingest/extractors/llm/llm.ts';

/** `3 calls, 1 without a usable answer, 2 from the cache, $0.01`: what a model was asked, part by part. */
export function callParts({ calls, fromCache, failedCalls, spentUsd }: LlmCounts): {
  readonly calls: string;
  readonly failed: string[];
  readonly fromCache: string;
  readonly cost: string;
} {
  return {
    calls: formatAmount(calls, 'call'),
    failed: failedCalls === 0 ? [] : [`${formatCount(failedCalls)} without a usable answer`],
    fromCache: `${formatCount(fromCache)} from the cache`,
    cost: spentUsd === undefined ? 'cost unknown' : formatUsd(spentUsd),
  };
}
