import { z } from 'zod';

/** How the agents whose transcripts can be read are called. */
export const agents = z.strictObject({
  format: z.literal('assay-agents'),
  version: z.literal(1),
  agents: z.array(
    z.strictObject({
      agent: z.string().describe('As sessions name it'),
      name: z.string().describe('As people do'),
    }),
  ),
});
