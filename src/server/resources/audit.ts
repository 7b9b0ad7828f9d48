import { z } from 'zod';
import { auditList, auditVerification } from '../../api/schema/audit.ts';
import { type ListAuditRequest, listAudit } from '../../operations/audit/list-audit.ts';
import { verifyAudit } from '../../operations/audit/verify-audit.ts';
import { cursorQuery, pageAfter, pageOfRecords } from '../paging.ts';
import { jsonRoute } from '../route.ts';

const name = z.string().min(1).max(300).optional();

export const AUDIT = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/audit',
    summary: 'Who wrote and approved what, and how tokens were used and refused, newest first',
    scope: 'admin',
    query: cursorQuery.extend({
      since: z.iso.datetime({ offset: true }).optional(),
      until: z.iso.datetime({ offset: true }).optional(),
      who: name.describe('The label or the id of a token, or the name of a person'),
      what: name.describe('Only what has this in it'),
      project: name.describe('By the name of its folder'),
    }),
    answer: auditList,
    handle: async ({ query }, { sessions }) => {
      const { limit, cursor: _, ...narrowed } = query;
      const asked = Object.fromEntries(Object.entries(narrowed).filter(([, value]) => value !== undefined));
      const found = await listAudit({ ...(asked as ListAuditRequest), ...pageAfter(query) }, sessions);
      return pageOfRecords(found, limit, ({ at, auditId }) => ({ at, key: auditId }));
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/audit/verification',
    summary: 'Whether the audit log is as it was written: each entry names the one before it',
    scope: 'admin',
    // Entries of projects that are not seen would look as if somebody had removed them.
    isOfAll: true,
    query: z.strictObject({ head: name.describe('A head that was told before: it must still be there') }),
    answer: auditVerification,
    handle: ({ query: { head } }, { sessions }) => verifyAudit({ head }, sessions),
  }),
];
