import type { z } from 'zod';
import type { auditList, auditVerification } from '../../../../src/api/schema/audit.ts';

export type AuditPage = z.infer<typeof auditList>;
export type AuditEntry = AuditPage['items'][number];
export type AuditVerification = z.infer<typeof auditVerification>;
