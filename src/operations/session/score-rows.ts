/** One row per session, as it is printed. */
import type { LeftOut } from '../../session/results.ts';
import type { Ports } from '../ports.ts';
import { scoreSessions } from './score-sessions.ts';
import type { SessionRequest } from './session-request.ts';
import { SessionRows } from './session-rows.ts';

export type ScoredRows = LeftOut & { readonly rows: SessionRows };

export async function scoreRows(request: SessionRequest, ports: Ports, keep: boolean): Promise<ScoredRows> {
  const rows = new SessionRows();
  const left = await scoreSessions({ ...request, keep }, ports, (one) => rows.add(one));
  return { ...left, rows };
}
