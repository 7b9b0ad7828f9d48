import type { Ports } from '../ports.ts';
import { askSessions, type ReadReport } from './ask-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export type Skipped = ReadReport & {
  readonly files: number;
  /** Skipped lines or records of a file, by kind. */
  readonly kinds: readonly {
    readonly path: string;
    readonly reason: string;
    readonly count: number;
    readonly firstLine?: number;
  }[];
};

/** Skipped lines and records, by file and reason. */
export function listSkipped(request: Pick<SessionRequest, 'from'>, ports: Ports): Promise<Skipped> {
  return askSessions({ ...request, opinions: false }, ports, async (asked) => {
    const files = await asked.files();
    const kinds = files.flatMap(({ path, skipped, unknownRecords }) => [
      ...Object.entries(skipped).map(([reason, { count, firstLine }]) => ({
        path,
        reason,
        count,
        firstLine,
      })),
      ...Object.entries(unknownRecords).map(([type, count]) => ({
        path,
        reason: `unknown record: ${type}`,
        count,
      })),
    ]);
    return { files: files.length, kinds };
  });
}
