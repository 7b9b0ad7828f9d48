/**
 * Qwen Code: `~/.qwen/projects/<folder>/chats/<session>.jsonl`, sub-agents in `subagents/<session>/agent-<id>.jsonl`.
 *
 * Established from its source (`packages/core/src/services/chatRecordingService.ts`) and from fixtures.
 */
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Format } from '../format.ts';

export const qwenCode: Format = {
  name: 'qwen-code',
  title: 'Qwen Code',
  hint: /"parts":/,
  shows: ['tokens', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: '0.21, 0.22',
  places: (home, env) => {
    const base = variable(env, 'QWEN_RUNTIME_DIR') ?? variable(env, 'QWEN_HOME') ?? join(home, '.qwen');
    return [{ place: join(base, 'projects'), only: /^(?=.*\.jsonl$).*[\\/](?:chats|subagents)[\\/]/s }];
  },
  adapter: async () => (await import('./adapter.ts')).qwenCodeAdapter,
};
