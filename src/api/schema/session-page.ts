import { z } from 'zod';
import { head } from './parts.ts';
import { listedSession } from './session-list.ts';

/** Kept sessions, a page at a time. */
export const sessionPage = z.strictObject({
  ...head('assay-session-page'),
  items: z.array(listedSession),
  next: z.string().nullable().describe('What `cursor` takes for the next page; `null` on the last one'),
  total: z
    .number()
    .nullable()
    .describe('How many fit the filter; `null` where only counting them would tell'),
});
