import type { FrontierResult } from '../../session/results.ts';
import type { Ports } from '../ports.ts';
import { askSessions } from './ask-sessions.ts';
import type { SessionRequest } from './session-request.ts';
import { storedFrontiers } from './stored-roi.ts';

export type FrontierRequest = SessionRequest & { readonly by: FrontierResult['by'] };

/** What nothing beats for less, per task type, and whether the more expensive of two is worth it. */
export function findFrontier(request: FrontierRequest, ports: Ports): Promise<FrontierResult> {
  const { by } = request;
  return askSessions(request, ports, async (asked) => ({ by, frontiers: await storedFrontiers(asked, by) }));
}
