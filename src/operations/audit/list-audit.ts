import type { AuditEntry, AuditQuery } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

export type ListAuditRequest = Pick<AuditQuery, 'since' | 'until' | 'who' | 'what' | 'limit' | 'after'> & {
  /** By the name of its folder. */
  readonly project?: string;
};

/** Who did what, newest first. */
export async function listAudit(
  { project, ...query }: ListAuditRequest,
  ports: Ports,
): Promise<readonly AuditEntry[]> {
  const store = await ports.store('looking');
  return store.readAudit({
    ...query,
    order: 'newest',
    ...(project !== undefined && { inProjects: [project] }),
  });
}
