/**
 * Goose: `sessions/sessions.db` in its folder of data, before that a file of lines per session beside it. The lines were
 * taken over into the database and stayed.
 *
 * Established from the source of Goose 1.30 (`crates/goose/src/session`, `conversation/message.rs`), cached tokens, cost and parent
 * from the tables of version 16 of its database.
 */
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Environment, Format, Place } from '../format.ts';

export const goose: Format = {
  name: 'goose',
  title: 'Goose',
  hint: /"(?:toolRequest|toolResponse|toolConfirmationRequest|systemNotification)"|"(?:userVisible|working_dir)":/,
  packing: 'sqlite',
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: '1.30, databases to version 16',
  unmeasured: ['The cost, in databases before it was kept there.', 'Ends, but for errors that are printed.'],
  places,
  isCopy: (path) => /^(?=.*[\\/]goose[\\/]).*sessions[\\/][^\\/]+\.jsonl$/s.test(path),
  beside: async (path) => [`${path}-wal`],
  adapter: async () => (await import('./adapter.ts')).gooseAdapter,
};

function places(home: string, env: Environment): Place[] {
  const root = variable(env, 'GOOSE_PATH_ROOT');
  const data = variable(env, 'XDG_DATA_HOME') ?? join(home, '.local', 'share');
  const folder = root === undefined ? join(data, 'goose') : join(root, 'data');
  return [{ place: join(folder, 'sessions'), only: /(?:[\\/]sessions\.db|\.jsonl)$/, flat: true }];
}
