import { HOOKED_AGENTS } from '../../operations/hooks/hooked-agents.ts';
import { runHook } from '../../operations/hooks/run-hook.ts';
import { defineCommand } from '../command.ts';
import { openPorts } from '../open-ports.ts';
import { sessionRequest, transcriptsOf } from '../sessions/session-request.ts';
import { hookMarks } from './change.ts';
import { readAgentInput } from './read-agent-input.ts';

export const command = defineCommand({
  name: 'hooks run',
  summary: 'Report an event of a session to Assay; the hooks of agents call this',
  dataOnly: true,
  options: { agent: { type: 'choice', choices: HOOKED_AGENTS, default: 'claude-code', doc: 'Who calls' } },
  examples: ['assay hooks run --agent claude-code < event.json'],
  run: async (args, terminal) => {
    // A locked or full store is no concern of the agent either.
    const ports = { ...openPorts({ values: {} }, terminal, 'all'), reportStorageFailure: () => {} };
    try {
      const about = { ...args, positionals: [] };
      const sessions = { ...(await sessionRequest(about, terminal)), from: transcriptsOf(about, terminal) };
      await runHook({ said: await readAgentInput(), marks: hookMarks(terminal), sessions }, ports);
    } catch {
      // Errors stay hidden from the agent: the next sync finds what this one missed.
    } finally {
      await ports.close();
    }
    return 0;
  },
});
