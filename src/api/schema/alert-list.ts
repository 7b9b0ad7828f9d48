import { z } from 'zod';
import { alert } from './alert.ts';
import { pageOf } from './parts.ts';

/** Alerts, newest first. */
export const alertList = pageOf('assay-alerts', alert);

/** One alert with all that became of it. */
export const alertStory = z.object({
  format: z.literal('assay-alert'),
  version: z.literal(1),
  alert,
  events: z
    .array(
      z.object({
        state: z.enum(['open', 'acknowledged', 'silenced', 'resolved']),
        who: z.string(),
        why: z.string().nullable(),
        at: z.iso.datetime(),
        until: z.iso.datetime().nullable(),
      }),
    )
    .describe('Oldest first'),
  run_id: z.string().nullable().describe('The run that raised it, where the store still has it'),
});
