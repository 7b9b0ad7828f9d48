import type { Skipped } from '../../session/results.ts';
import type { Ports } from '../ports.ts';
import { readSessions } from './read-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export async function listSkipped({ from }: Pick<SessionRequest, 'from'>, ports: Ports): Promise<Skipped> {
  const { files, unreadable } = await readSessions(from, ports);
  const kinds = files.flatMap(({ path, skipped, unknownRecords }) => [
    ...Object.entries(skipped).map(([reason, { count, firstLine }]) => ({ path, reason, count, firstLine })),
    ...Object.entries(unknownRecords).map(([type, count]) => ({
      path,
      reason: `unknown record: ${type}`,
      count,
    })),
  ]);
  return { files: files.length, kinds, unreadable };
}
