import type { Ports } from '../ports.ts';
import { type AuditDraft, AuditWriter } from './audit-writer.ts';

export type AuditedCommand = Pick<AuditDraft, 'what' | 'outcome' | 'status'> & {
  readonly target?: string;
  readonly project?: string | undefined;
};

/** Records that a command ran. Without a store nothing is recorded: the log alone is no reason to create one. */
export async function auditCommand(
  { target, project, ...done }: AuditedCommand,
  ports: Ports,
): Promise<void> {
  await new AuditWriter(() => ports.store('looking')).write({
    ...done,
    at: ports.now().toISOString(),
    who: ports.identity(),
    origin: 'command line',
    times: 1,
    ...((target ?? '') !== '' && { target }),
    ...(project !== undefined && { project }),
  });
}
