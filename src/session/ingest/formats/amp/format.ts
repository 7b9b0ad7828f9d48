/**
 * Amp: threads that its CLI kept on disk until early 2026, and what `amp threads export` prints since they are on its
 * server.
 *
 * Amp is closed: the shape is known from programs of others that read it, and is not verified beyond them.
 */
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Format } from '../format.ts';

export const amp: Format = {
  name: 'amp',
  title: 'Amp',
  hint: /"id": ?"T-/i,
  shows: ['tokens', 'failures', 'denials', 'ends', 'model'],
  versions: 'threads of 2025 and 2026',
  places: (home, env) => [
    {
      place: join(variable(env, 'XDG_DATA_HOME') ?? join(home, '.local', 'share'), 'amp', 'threads'),
      only: /[\\/]T-[^\\/]+\.json$/,
      flat: true,
    },
  ],
  adapter: async () => (await import('./adapter.ts')).ampAdapter,
};
