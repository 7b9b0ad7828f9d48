/** The pi coding agent: `~/.pi/agent/sessions/<folder>/<time>_<id>.jsonl`. */
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Format } from '../format.ts';

export const pi: Format = {
  name: 'pi',
  title: 'pi coding agent',
  hint: /"(?:parentId|stopReason|toolCallId)":|"type": ?"session"/,
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'ends', 'model'],
  versions: 'entries of version 1 to 3',
  places: (home, env) => {
    const sessions = variable(env, 'PI_CODING_AGENT_SESSION_DIR');
    const agent = variable(env, 'PI_CODING_AGENT_DIR') ?? join(home, '.pi', 'agent');
    return [{ place: sessions ?? join(agent, 'sessions') }];
  },
  adapter: async () => (await import('./adapter.ts')).piAdapter,
};
