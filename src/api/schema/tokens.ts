import { z } from 'zod';

/** The tokens of servers, without what they are told by. */
export const tokenList = z.strictObject({
  format: z.literal('assay-tokens'),
  version: z.literal(1),
  tokens: z.array(
    z.strictObject({
      id: z.string(),
      label: z.string(),
      scope: z.enum(['read', 'write', 'admin']),
      created_at: z.iso.datetime(),
      expires_at: z.iso.datetime().nullable().describe('`null`: good until it is revoked'),
      expired: z.boolean(),
      projects: z.array(z.string()).nullable().describe('Those it is for beside its team; `null`: all'),
      team: z.string().nullable(),
    }),
  ),
});
