import type { z } from 'zod';
import { metricKey } from '../../measure/metric.ts';
import type { ApprovalRecord } from '../../store/store.ts';
import type { approvalList } from '../schema/approval-list.ts';

export function encodeApproval(one: ApprovalRecord): z.infer<typeof approvalList>['items'][number] {
  const { approvalId, runId, baselineRunId, metric, reason, who, at } = one;
  return {
    id: approvalId,
    run_id: runId,
    baseline_run_id: baselineRunId,
    metric: metricKey(metric),
    reason,
    who,
    at,
  };
}
