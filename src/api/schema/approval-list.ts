import { z } from 'zod';
import { pageOf } from './page-of.ts';

/** Falls that somebody let through or gave a reason for, newest first. */
export const approvalList = pageOf(
  'assay-approval-list',
  z.object({
    id: z.string(),
    run_id: z.string(),
    baseline_run_id: z.string(),
    metric: z.string().describe('Its key'),
    reason: z.string(),
    who: z.string(),
    at: z.iso.datetime(),
  }),
);
