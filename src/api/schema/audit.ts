import { z } from 'zod';
import type { SeenAuditEntry } from '../../store/store.ts';
import { from } from '../wire.ts';
import { head } from './parts.ts';

const auditEntry = z.strictObject({
  id: from('auditId', z.string()),
  at: z.iso.datetime(),
  who: z.string().describe('The label of a token, the person at the machine, or `nobody`'),
  token: from('tokenId', z.string().nullable().describe('Its id')),
  origin: z
    .enum(['command line', 'server', 'this machine', 'private network', 'internet', 'proxy'])
    .describe('From where it was asked, as far as the server can tell'),
  what: z.string().describe('Method and address, a command, or what became of a token'),
  target: z.string().nullable().describe('The id of what it was done to; of several, that of the first'),
  project: z.string().nullable(),
  outcome: z.enum(['done', 'refused', 'failed']),
  status: z.number().nullable().describe('Of HTTP its status, of a command its exit code'),
  times: z.number().describe('How often within its minute; 1 where each has an entry'),
  altered: from(
    ({ alteredFrom }: SeenAuditEntry) => alteredFrom !== undefined,
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
  faults: z.array(
    z.strictObject({ id: from('auditId', z.string()), at: z.iso.datetime(), what: z.string() }),
  ),
});
