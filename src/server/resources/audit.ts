import { z } from 'zod';
import { auditList, auditVerification } from '../../api/schema/audit.ts';
import { listAudit } from '../../operations/audit/list-audit.ts';
import { verifyAudit } from '../../operations/audit/verify-audit.ts';
import type { Ports } from '../../operations/ports.ts';
import { auditCheckView, auditView } from '../../report/server-views.ts';
import { cursorQuery, pageAfter, pageOfRecords } from '../paging.ts';
import { jsonRoute } from '../route.ts';

const name = z.string().min(1).max(300).optional();

const auditQuery = cursorQuery.extend({
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  who: name.describe('The label or id of a token, or the name of a user'),
  what: name.describe('Only entries whose action contains this text'),
  project: name.describe('The name of the folder of the project'),
});

function entriesOf(query: z.output<typeof auditQuery>, ports: Ports) {
  const { cursor: _, ...narrowed } = query;
  return listAudit({ ...narrowed, ...pageAfter(query) }, ports);
}

export const AUDIT = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/audit',
    summary: 'The audit log, newest first: writes, approvals, and uses and refusals of tokens',
    scope: 'admin',
    query: auditQuery,
    answer: auditList,
    handle: async ({ query }, { sessions }) => {
      const found = await entriesOf(query, sessions);
      return pageOfRecords(found, query.limit, ({ at, auditId }) => ({ at, key: auditId }));
    },
    view: async ({ query }, { sessions }) => {
      const found = await entriesOf(query, sessions);
      return auditView(found.slice(0, query.limit), found.length <= query.limit, {});
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/audit/verification',
    summary: 'Verifies the hash chain of the audit log',
    scope: 'admin',
    // Needs access to all projects: hidden entries would look like removed ones.
    isOfAll: true,
    query: z.strictObject({
      head: name.describe('A head from an earlier answer, which must still be in the log'),
    }),
    answer: auditVerification,
    handle: ({ query: { head } }, { sessions }) => verifyAudit({ head }, sessions),
    view: async ({ query: { head } }, { sessions }) =>
      auditCheckView(await verifyAudit({ head }, sessions), {}),
  }),
];
