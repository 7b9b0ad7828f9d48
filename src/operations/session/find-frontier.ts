import { comparedFrontiers } from '../../session/pricing/frontier.ts';
import type { FrontierResult } from '../../session/results.ts';
import { groupKeyOf } from '../../session/session-groups.ts';
import type { Ports } from '../ports.ts';
import { collectSessions } from './collect-sessions.ts';
import type { SessionRequest } from './session-request.ts';
import { storedFrontiers } from './stored/stored-roi.ts';
import { answerStored } from './stored/stored-scores.ts';

export type FrontierRequest = SessionRequest & { readonly by: FrontierResult['by'] };

/** What nothing beats for less, per task type, and whether the dearer of two is worth it. */
export async function findFrontier(request: FrontierRequest, ports: Ports): Promise<FrontierResult> {
  const { by } = request;
  const frontiers = await answerStored(request, ports, (stored) => storedFrontiers(stored, by));
  if (frontiers !== undefined) return { by, frontiers, unreadable: [] };
  return collectSessions(request, ports, ({ sessions }) => ({
    by,
    frontiers: comparedFrontiers(
      sessions.map(({ session }) => session),
      groupKeyOf(by),
    ),
  }));
}
