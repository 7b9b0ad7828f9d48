/**
 * Hermes Agent: `~/.hermes/state.db`, and files of its sessions below `sessions/` that have the same without the tokens.
 *
 * That there is a database, and that a compression goes on in a session of its own, are established from its source
 * (`hermes_state.py`), the files from fixtures. Its columns change with its versions: one that is not there reads as
 * nothing. How its tools word failures and refusals is not checked against real sessions.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Environment, Format, Place } from '../format.ts';

export const hermes: Format = {
  name: 'hermes',
  title: 'Hermes Agent',
  hint: /"session_meta"|"session_start":/,
  packing: 'sqlite',
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: 'its database and its files of 2026',
  unmeasured: ['Tokens, cost and sub-agents, in its files: the database has them.'],
  elsewhere: '`~/.hermes/profiles/<profile>`',
  places,
  printed: (path) => /\.jsonl?$/.test(path),
  beside: async (path) => [`${path}-wal`],
  adapter: async () => (await import('./adapter.ts')).hermesAdapter,
};

/** Each profile has a home of its own. */
function places(home: string, env: Environment): Place[] {
  const folder = variable(env, 'HERMES_HOME') ?? join(home, '.hermes');
  const profiles = join(folder, 'profiles');
  return [folder, ...namesIn(profiles).map((name) => join(profiles, name))].flatMap((own) => [
    { place: own, only: /[\\/]state\.db$/, flat: true },
    {
      place: join(own, 'sessions'),
      only: /[\\/](?:session_[^\\/]+\.json|\d{8}_[^\\/]+\.jsonl)$/,
      flat: true,
    },
  ]);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}
