import type { Ports } from '../../operations/ports.ts';
import type { ReadReport } from '../../operations/session/ask-sessions.ts';
import type { SessionRequest } from '../../operations/session/session-request.ts';
import { plain } from '../../report/unsafe-text.ts';
import type { Terminal } from '../command.ts';
import { openPorts } from '../open-ports.ts';
import type { SessionArguments } from './options.ts';
import { sessionRequest } from './session-request.ts';

/** Each is a line; a hundred of them hide the answer. */
const MAX_NAMED = 10;

/** Runs an operation on sessions, and reports what was skipped and its warnings. */
export async function ask<Result extends ReadReport>(
  args: SessionArguments,
  terminal: Terminal,
  operation: (request: SessionRequest, ports: Ports) => Promise<Result>,
): Promise<Result> {
  const request = await sessionRequest(args, terminal);
  const ports = openPorts(args, terminal, 'all');
  try {
    const result = await operation(request, ports);
    terminal.progress('');
    await noteSkipped(result, terminal);
    return result;
  } finally {
    await ports.close();
  }
}

/** For read-only questions: a store without transcripts means the sessions stored there. */
export function look<Result extends ReadReport>(
  args: SessionArguments,
  terminal: Terminal,
  operation: (request: SessionRequest, ports: Ports) => Promise<Result>,
): Promise<Result> {
  const isStoreMeant = args.values.store !== undefined && args.positionals.length === 0;
  const values = isStoreMeant ? { ...args.values, 'no-sync': true } : args.values;
  return ask({ ...args, values }, terminal, operation);
}

async function noteSkipped(left: ReadReport, terminal: Terminal): Promise<void> {
  const { unreadable, unjoined = [], weightsDoubts = [] } = left;
  if (weightsDoubts.length > 0) {
    const { sayWeightsDoubt } = await import('../../session/views/wording.ts');
    for (const doubt of weightsDoubts) terminal.note(`assay: ${plain(sayWeightsDoubt(doubt))}\n`);
  }
  for (const { sessionId, sessions } of unjoined.slice(0, MAX_NAMED))
    terminal.note(
      `assay: ${sessions} sessions have the id ${plain(sessionId)}: the data of a file for it was used for none of them. Use the session_key of the right one instead.\n`,
    );
  if (unjoined.length > MAX_NAMED)
    terminal.note(`assay: The same holds for ${unjoined.length - MAX_NAMED} more ids.\n`);
  for (const { path, why } of unreadable) terminal.note(`assay: Skipped ${plain(path)}: ${plain(why)}\n`);
}
