import type { ApprovalRecord, Position } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

export type ListApprovalsRequest = {
  readonly limit?: number;
  /** Only approvals that come after this one in the list: older ones. */
  readonly after?: Position;
};

/** What somebody let through, and small falls that somebody gave a reason for, newest first. */
export async function listApprovals(
  request: ListApprovalsRequest,
  ports: Ports,
): Promise<readonly ApprovalRecord[]> {
  return (await ports.store('looking')).readApprovals({ ...request, order: 'newest' });
}
