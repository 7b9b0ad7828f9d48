import { AssayError } from '../../errors.ts';
import { checkRecords } from '../../store/schema/records.ts';
import type { AuditQuery, StoredAuditEntry } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

export type ListAuditRequest = Pick<AuditQuery, 'since' | 'until' | 'who' | 'what' | 'limit' | 'after'> & {
  /** By the name of its folder. */
  readonly project?: string;
};

/** Who did what, newest first. One that was altered says so. */
export async function listAudit(
  { project, ...query }: ListAuditRequest,
  ports: Ports,
): Promise<readonly StoredAuditEntry[]> {
  const store = await ports.store('looking');
  const entries = await store.readAudit({
    ...query,
    order: 'newest',
    includeAltered: true,
    ...(project !== undefined && { inProjects: [project] }),
  });
  for (const entry of entries) if (entry.alteredFrom !== undefined) assertReadable(entry);
  return entries;
}

/** Altered into what no entry can say, it cannot be shown either. */
function assertReadable({ alteredFrom: _, ...entry }: StoredAuditEntry): void {
  try {
    checkRecords('audit', [entry]);
  } catch (cause) {
    throw new AssayError(
      'STORE_CORRUPT',
      `the entry ${entry.auditId} of the audit log was altered and cannot be shown`,
      {
        cause,
        remedy: [{ say: 'See what else was', step: { operation: 'audit verify' } }],
      },
    );
  }
}
