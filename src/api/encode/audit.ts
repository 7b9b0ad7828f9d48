import type { z } from 'zod';
import type { SeenAuditEntry } from '../../store/store.ts';
import type { auditList, auditVerification } from '../schema/audit.ts';

export function encodeAudit(
  entries: readonly SeenAuditEntry[],
  next: string | null = null,
): z.infer<typeof auditList> {
  return {
    format: 'assay-audit',
    version: 1,
    items: entries.map((one) => ({
      id: one.auditId,
      at: one.at,
      who: one.who,
      token: one.tokenId ?? null,
      origin: one.origin,
      what: one.what,
      target: one.target ?? null,
      project: one.project ?? null,
      outcome: one.outcome,
      status: one.status ?? null,
      times: one.times,
      altered: one.alteredFrom !== undefined,
    })),
    next,
  };
}

type Verification = {
  readonly entries: number;
  readonly head: string | undefined;
  readonly hasAsked: boolean | undefined;
  readonly faults: readonly { readonly auditId: string; readonly at: string; readonly what: string }[];
};

export function encodeAuditVerification({
  entries,
  head,
  hasAsked,
  faults,
}: Verification): z.infer<typeof auditVerification> {
  return {
    format: 'assay-audit-verification',
    version: 1,
    entries,
    head: head ?? null,
    has_asked: hasAsked ?? null,
    faults: faults.map(({ auditId, at, what }) => ({ id: auditId, at, what })),
  };
}
