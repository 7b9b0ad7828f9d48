/** Claude Code: `~/.claude/projects/<folder>/<session>.jsonl`, with the files of its sub-agents beside them. */
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Environment, Format, Place } from '../format.ts';

export const claudeCode: Format = {
  name: 'claude-code',
  title: 'Claude Code',
  hint: /"(?:parentUuid|leafUuid|sessionId)":|"type": ?"(?:file-history-snapshot|queue-operation)"/,
  oneTells: true,
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: '1.0, 2.0, 2.1 (to 2.1.220)',
  unmeasured: ["The cost, in today's versions."],
  places,
  adapter: async () => (await import('./adapter.ts')).claudeCodeAdapter,
};

/** Several folders may be given, with commas between them. */
function places(home: string, env: Environment): Place[] {
  const named = variable(env, 'CLAUDE_CONFIG_DIR')
    ?.split(',')
    .map((one) => one.trim());
  const config = variable(env, 'XDG_CONFIG_HOME') ?? join(home, '.config');
  const folders = named ?? [join(config, 'claude'), join(home, '.claude')];
  return folders.filter((one) => one !== '').map((one) => ({ place: join(one, 'projects') }));
}
