/** Gemini CLI: `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`. */
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Format } from '../format.ts';

export const gemini: Format = {
  name: 'gemini',
  title: 'Gemini CLI',
  hint: /"(?:projectHash|\$rewindTo|\$set|history)":|"type": ?"gemini"/,
  shows: ['tokens', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: 'documents of 2025, lines since 0.40',
  places: (home, env) => [
    {
      place: join(variable(env, 'GEMINI_CLI_HOME') ?? home, '.gemini', 'tmp'),
      // Beside the chats there are logs and checkpoints.
      only: /[\\/]chats[\\/]/,
    },
  ],
  adapter: async () => (await import('./adapter.ts')).geminiAdapter,
};
