/** GitHub Copilot CLI: `~/.copilot/session-state/<session>/events.jsonl`, before that `session-state/<session>.jsonl`. */
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Format } from '../format.ts';

export const copilotCli: Format = {
  name: 'copilot-cli',
  title: 'GitHub Copilot CLI',
  places: (home, env) => [
    {
      place: join(variable(env, 'COPILOT_HOME') ?? join(home, '.copilot'), 'session-state'),
      // Files, checkpoints and a database of the session lie beside its events.
      only: /[\\/]session-state[\\/](?:[^\\/]+[\\/]events|[^\\/]+)\.jsonl$/,
    },
  ],
  adapter: async () => (await import('./adapter.ts')).copilotCliAdapter,
};
