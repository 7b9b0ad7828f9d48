/** How long each kind of data is stored. */
import { z } from 'zod';
import { daysSetting } from './fields.ts';

const daysOf = (what: string, by: 'forever' | number = 'forever') =>
  z
    .union([z.literal('forever'), daysSetting])
    .default(by)
    .describe(what);

export const retentionSettings = z.strictObject({
  sessions: daysOf(
    'For how many days sessions are kept after their start, or `forever`. `assay serve` deletes what is older, every hour; so does `assay store prune --yes`.',
  ),
  intake: daysOf(
    'The same of what `assay serve` was sent of a session, with the words in it, after the last of it came; the score stays.',
    7,
  ),
  runs: daysOf('The same of runs with their cases.'),
  ratings: daysOf('The same of ratings.'),
  approvals: daysOf('The same of approvals.'),
  alerts: daysOf('The same of alerts with what became of them.'),
  feedback: daysOf('The same of feedback.'),
  audit: daysOf('The same of the audit log: who wrote, approved or was refused what.', 400),
  deliveries: daysOf('The same of what was told elsewhere; a running server forgets it after 30 days.'),
});
