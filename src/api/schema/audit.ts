import { z } from 'zod';
import { auditEntry as entryRecord } from '../../store/schema/records.ts';
import type { StoredAuditEntry } from '../../store/store.ts';
import { from, wireShape } from '../wire.ts';
import { head } from './parts.ts';

const stored = wireShape(entryRecord.shape);

const auditEntry = z.strictObject({
  id: from('auditId', stored.audit_id),
  at: stored.at,
  who: stored.who,
  token: from('tokenId', stored.token_id),
  origin: stored.origin,
  what: stored.what,
  target: stored.target,
  project: stored.project,
  outcome: stored.outcome,
  status: stored.status,
  times: stored.times,
  altered: from(
    ({ alteredFrom }: StoredAuditEntry) => alteredFrom !== undefined,
    z.boolean().describe('Somebody changed it after it was written: it says what stands there now'),
  ),
});

/** Who did what, newest first. */
export const auditList = z.strictObject({
  ...head('assay-audit'),
  items: z.array(auditEntry),
  next: z.string().nullable().describe('`cursor` of the page after this one'),
});

export const auditVerification = z.strictObject({
  ...head('assay-audit-verification'),
  entries: z.number(),
  head: z.string().nullable().describe('The hash of the newest entry: keep it elsewhere to notice a cut end'),
  has_asked: z.boolean().nullable().describe('Whether the entry that `--head` named is there'),
  faults: z.array(z.strictObject({ id: from('auditId', stored.audit_id), at: stored.at, what: z.string() })),
});

type Whose = { readonly projects?: readonly string[]; readonly team?: string };

/** The tokens of servers, without the secrets. */
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
