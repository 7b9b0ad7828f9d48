import { z } from 'zod';
import { head } from './parts.ts';

/** How the agents whose transcripts can be read are called. */
export const agents = z.strictObject({
  ...head('assay-agents'),
  agents: z.array(
    z.strictObject({
      agent: z.string().describe('As sessions name it'),
      name: z.string().describe('As people do'),
    }),
  ),
});
