/**
 * GitHub Copilot CLI: `~/.copilot/session-state/<session>/events.jsonl`, before that `session-state/<session>.jsonl`.
 *
 * The CLI is closed: known from the types of events in its SDK and from fixtures. That cached tokens are within the input is
 * what programs of others report.
 */
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Format } from '../format.ts';

export const copilotCli: Format = {
  name: 'copilot-cli',
  title: 'GitHub Copilot CLI',
  hint: /"type": ?"(?:session|user|assistant|tool)\.[a-z_]+"/,
  shows: ['tokens', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: '0.0.420, 1.0.11, 1.0.77, 1.0.81',
  unmeasured: ['Input tokens of a session that has not shut down.'],
  places: (home, env) => [
    {
      place: join(variable(env, 'COPILOT_HOME') ?? join(home, '.copilot'), 'session-state'),
      // Files, checkpoints and a database of the session lie beside its events.
      holds: 'events.jsonl',
      only: /[\\/]session-state[\\/](?:[^\\/]+[\\/]events|[^\\/]+)\.jsonl$/,
    },
  ],
  adapter: async () => (await import('./adapter.ts')).copilotCliAdapter,
};
