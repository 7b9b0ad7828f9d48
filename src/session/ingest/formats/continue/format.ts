/**
 * Continue: `~/.continue/sessions/<session>.json`, of the extensions and of `cn` alike.
 *
 * Established from its source (`core/util/history.ts`, `core/index.d.ts`, `extensions/cli/src/session.ts`).
 */
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Format } from '../format.ts';

export const continueDev: Format = {
  name: 'continue',
  title: 'Continue',
  hint: /"workspaceDirectory":/,
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'model'],
  versions: 'of June 2026',
  unmeasured: ['Times, but for the beginning of the session.'],
  places: (home, env) => [
    {
      place: join(variable(env, 'CONTINUE_GLOBAL_DIR') ?? join(home, '.continue'), 'sessions'),
      only: /[\\/](?!sessions\.json$)[^\\/]+\.json$/,
      flat: true,
    },
  ],
  adapter: async () => (await import('./adapter.ts')).continueAdapter,
};
