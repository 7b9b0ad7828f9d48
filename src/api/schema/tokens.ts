import { z } from 'zod';
import { from } from '../wire.ts';
import { head } from './parts.ts';

type Whose = { readonly projects?: readonly string[]; readonly team?: string };

/** The tokens of servers, without what they are told by. */
export const tokenList = z.strictObject({
  ...head('assay-tokens'),
  tokens: z.array(
    z.strictObject({
      id: z.string(),
      label: from('name', z.string()),
      scope: z.enum(['read', 'write', 'admin']),
      created_at: from('created_at', z.iso.datetime()),
      expires_at: from(
        'expires_at',
        z.iso.datetime().nullable().describe('`null`: good until it is revoked'),
      ),
      expired: from('isOver', z.boolean()),
      projects: from(
        ({ projects, team }: Whose) => projects ?? (team === undefined ? undefined : []),
        z.array(z.string()).nullable().describe('Those it is for beside its team; `null`: all'),
      ),
      team: z.string().nullable(),
    }),
  ),
});
