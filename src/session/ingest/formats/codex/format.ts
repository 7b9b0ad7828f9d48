/** Codex CLI: `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`. */
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Format } from '../format.ts';

export const codex: Format = {
  name: 'codex',
  title: 'Codex CLI',
  hint: /"(?:session_meta|turn_context|response_item|event_msg|world_state|record_type|instructions)"/,
  shows: ['tokens', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: '0.50 to 0.146, and rollouts without types before',
  places: (home, env) => {
    const folder = variable(env, 'CODEX_HOME') ?? join(home, '.codex');
    return ['sessions', 'archived_sessions'].map((one) => ({ place: join(folder, one) }));
  },
  adapter: async () => (await import('./adapter.ts')).codexAdapter,
};
