/**
 * Grok CLI: `~/.grok/sessions/<folder>/<session>/chat_history.jsonl` with `summary.json` beside it.
 *
 * Known from fixtures: it is not established where it keeps tokens, and how a compaction shows.
 */
import { dirname, join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Format } from '../format.ts';

export const grok: Format = {
  name: 'grok',
  title: 'Grok CLI',
  hint: /"(?:model_id|prompt_index)":|"backend_tool_call"/,
  shows: ['failures', 'sub-agents', 'ends', 'model'],
  versions: 'chat format 1',
  unmeasured: [
    'Times, but for the beginning of the session.',
    'Failures, but for calls that are made where the model runs: the text tells.',
    'Ends, but for being stopped.',
  ],
  places: (home, env) => [
    {
      place: join(variable(env, 'GROK_HOME') ?? join(home, '.grok'), 'sessions'),
      only: /[\\/]chat_history\.jsonl$/,
    },
  ],
  beside: async (path) => [join(dirname(path), 'summary.json')],
  adapter: async () => (await import('./adapter.ts')).grokAdapter,
};
