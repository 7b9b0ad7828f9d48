import { z } from 'zod';
import { head } from './parts.ts';

/** What became of lines of a transcript that were sent. */
export const sessionLines = z.strictObject({
  ...head('assay-session-lines'),
  session_id: z.string(),
  length: z.number().describe('Bytes of this session that are kept now: where the next lines begin'),
  added: z.number().describe('Bytes of these lines that were not there before'),
});
