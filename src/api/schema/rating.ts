import { z } from 'zod';
import { from } from '../wire.ts';

/** What a person or a named model says of something. */
export const rating = z.strictObject({
  version: z.literal(1),
  id: from('ratingId', z.string()),
  kind: z.string().describe('What is rated: a session, a case, an output'),
  subject_id: z.string(),
  author: z.string(),
  rating: z.number(),
  note: z.string().nullable(),
  at: z.iso.datetime(),
});
