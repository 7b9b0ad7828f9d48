import { AssayError } from '../../errors.ts';
import { type AuditedCommand, auditCommand } from '../../operations/audit/audit-command.ts';
import type { Arguments, Command, Options, StoreArguments, Terminal } from '../command.ts';
import { openPorts } from '../open-ports.ts';
import { readSettings } from '../settings.ts';

/** `--to` is the store of a copy. */
type WrittenTo = { readonly values: StoreArguments['values'] & { readonly to?: string } };

/** Into the store that the command wrote to; of the project of the folder, where it is not said of which. */
export async function recordCommand(
  args: WrittenTo,
  terminal: Terminal,
  done: AuditedCommand,
): Promise<void> {
  const { to = args.values.store } = args.values;
  const { project } = (await readSettings(args, terminal)).config;
  const ports = openPorts({ values: { ...args.values, store: to } }, terminal, 'all');
  await auditCommand({ project, ...done }, ports).finally(ports.close);
}

/** Runs a command, and writes down that it was given and how it ended. */
export async function runAudited(
  command: Command,
  target: string,
  args: Arguments<Options>,
  terminal: Terminal,
  run: () => Promise<number>,
): Promise<number> {
  const { store, config, to } = args.values as WrittenTo['values'];
  const note = (outcome: AuditedCommand['outcome'], status: number) =>
    recordCommand({ values: { store, config, to } }, terminal, {
      what: command.name,
      target,
      outcome,
      status,
    });
  try {
    const code = await run();
    await note(code === 0 ? 'done' : 'refused', code);
    return code;
  } catch (error) {
    const isUsage = error instanceof AssayError && error.code === 'USAGE';
    // The first failure is the one to report.
    if (!isUsage) await note('failed', 3).catch(() => {});
    throw error;
  }
}
