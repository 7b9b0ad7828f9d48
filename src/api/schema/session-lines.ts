import { z } from 'zod';

/** What became of lines of a transcript that were sent. */
export const sessionLines = z.strictObject({
  format: z.literal('assay-session-lines'),
  version: z.literal(1),
  session_id: z.string(),
  length: z.number().describe('Bytes of this session that are kept now: where the next lines begin'),
  added: z.number().describe('Bytes of these lines that were not there before'),
});
