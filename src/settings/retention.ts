/** For how long each kind of data is kept. */
import { z } from 'zod';
import { daysSetting } from './fields.ts';

const kept = (what: string, by: 'forever' | number = 'forever') =>
  z
    .union([z.literal('forever'), daysSetting])
    .default(by)
    .describe(what);

export const retentionSettings = z.strictObject({
  sessions: kept(
    'For how many days sessions are kept after their start, or `forever`. `assay serve` deletes what is older, every hour; so does `assay store prune --yes`.',
  ),
  intake: kept(
    'The same of what `assay serve` was sent of a session, with the words in it, after the last of it came; the score stays.',
    7,
  ),
  runs: kept('The same of runs with their cases.'),
  ratings: kept('The same of ratings.'),
  approvals: kept('The same of approvals.'),
  alerts: kept('The same of alerts with what became of them.'),
  feedback: kept('The same of feedback.'),
  audit: kept('The same of the audit log: who wrote, approved or was refused what.', 400),
  deliveries: kept('The same of what was told elsewhere; a running server forgets it after 30 days.'),
});
