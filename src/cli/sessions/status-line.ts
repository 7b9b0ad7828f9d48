import { isAbsolute } from 'node:path';
import { type SessionSoFar, sessionSoFar } from '../../operations/session/score-sessions.ts';
import { statusLine } from '../../session/views/status-line.ts';
import { defineCommand, type Terminal } from '../command.ts';
import { readAgentInput } from '../hooks/read-agent-input.ts';
import { openPorts } from '../open-ports.ts';
import { sessionRequest } from './session-request.ts';

type Said = {
  readonly transcript_path?: unknown;
  readonly session_id?: unknown;
  readonly cost?: { readonly total_cost_usd?: unknown };
};

export const command = defineCommand({
  name: 'sessions status-line',
  summary: 'Print Q so far, cost and what lowers Q, from the JSON that Claude Code writes to standard input',
  dataOnly: true,
  options: {},
  examples: ['assay sessions status-line < status.json'],
  notes: ['`assay hooks install` adds it to the settings of Claude Code.'],
  run: async (_, terminal) => {
    const said = parsed(await readAgentInput());
    const cost = said.cost?.total_cost_usd;
    const costUsd = typeof cost === 'number' && cost >= 0 ? cost : undefined;
    const soFar = await scored(said, terminal).catch(() => undefined);
    terminal.print(`${statusLine({ ...soFar, costUsd })}\n`);
    return 0;
  },
});

function parsed(text: string): Said {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The transcript alone, without its repository: the line is drawn several times a second. */
async function scored(
  { transcript_path: path, session_id: id }: Said,
  terminal: Terminal,
): Promise<SessionSoFar | undefined> {
  if (typeof path !== 'string' || !isAbsolute(path)) return undefined;
  const values = { 'no-git': true };
  const request = await sessionRequest({ positionals: [path], values, given: {} }, terminal);
  const ports = openPorts({ values: { 'no-store': true } }, terminal, 'all');
  try {
    return await sessionSoFar(request, typeof id === 'string' ? id : undefined, ports);
  } finally {
    await ports.close();
  }
}
