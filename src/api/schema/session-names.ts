import { z } from 'zod';
import { head } from './parts.ts';
import { listedSession } from './session-list.ts';

/** What people call sessions that something else speaks of by their keys. */
export const sessionNames = z.strictObject({
  ...head('assay-session-names'),
  items: z.array(
    listedSession.pick({ session_key: true, session_id: true, started_at: true, project: true, title: true }),
  ),
});
