import type { Ports } from '../../operations/ports.ts';
import type { SessionRequest } from '../../operations/session/session-request.ts';
import { plain } from '../../report/unsafe-text.ts';
import type { LeftOut } from '../../session/results.ts';
import type { Arguments, Terminal } from '../command.ts';
import { openPorts } from '../open-ports.ts';
import { sessionRequest } from './session-request.ts';

/** Asks an operation about sessions, and says which files it could not read. */
export async function ask<Result extends LeftOut>(
  args: Arguments,
  terminal: Terminal,
  operation: (request: SessionRequest, ports: Ports) => Promise<Result>,
): Promise<Result> {
  const request = await sessionRequest(args, terminal);
  const ports = openPorts(args, terminal);
  try {
    const result = await operation(request, ports);
    terminal.progress('');
    noteUnreadable(result, terminal);
    return result;
  } finally {
    await ports.close();
  }
}

function noteUnreadable({ unreadable }: LeftOut, terminal: Terminal): void {
  for (const { path, why } of unreadable)
    terminal.note(`assay: ${plain(path)} was left out: ${plain(why)}\n`);
}
