import { listSources } from '../operations/session/list-sources.ts';
import type { Terminal } from './command.ts';
import { machineOf } from './sessions/session-request.ts';

/** Agents of this machine that have left transcripts, e.g. `Claude Code (12)`; undefined where none has. */
export function transcriptsHere(terminal: Terminal): string | undefined {
  const here = listSources(machineOf(terminal)).formats.filter(({ files }) => files > 0);
  return here.length === 0 ? undefined : here.map(({ title, files }) => `${title} (${files})`).join(', ');
}
