/**
 * OpenCode: `~/.local/share/opencode/opencode.db`; before 2026 JSON files under `storage/`, first one folder of them per
 * project. Older files stay when a version moves on to another form, so the same session may lie in all three.
 *
 * Established from its source: the schema, the storage, and the migration of the files that it had for a time.
 */
import { basename, dirname, isAbsolute, join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Environment, Format, Place } from '../format.ts';

export const opencode: Format = {
  name: 'opencode',
  title: 'OpenCode',
  hint: /"(?:projectID|directory|info)":|"id": ?"ses_/,
  packing: 'sqlite',
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: 'JSON files of 0.1 and 1.3, the database of 1.18 and what `export` writes',
  places,
  ignores: (path) => PART_OF_A_SESSION.test(path),
  beside: async (path) => [`${path}-wal`, ...(await import('./stored-files.ts')).besideStored(path)],
  isCopy: (path) => OLDER_FORM.test(path),
  adapter: async () => (await import('./adapter.ts')).opencodeAdapter,
};

/** Messages, their parts and notes about sessions: read with their session. */
const PART_OF_A_SESSION =
  /^(?=.*\.json$).*[\\/]storage[\\/](?:session[\\/])?(?:message|part|session_diff|session_share|share|todo|project|permission)[\\/]/s;
const SESSION_FILE = /[\\/]session[\\/][^\\/]+[\\/][^\\/]+\.json$/;

function places(home: string, env: Environment): Place[] {
  const data = join(variable(env, 'XDG_DATA_HOME') ?? join(home, '.local', 'share'), 'opencode');
  const named = variable(env, 'OPENCODE_DB');
  const database = named === undefined || named === ':memory:' ? undefined : named;
  const own = database === undefined || isAbsolute(database) ? database : join(data, database);
  return [
    own === undefined
      ? { place: data, only: /[\\/]opencode[^\\/]*\.db$/, flat: true }
      : { place: dirname(own), only: new RegExp(`[\\\\/]${escaped(basename(own))}$`), flat: true },
    { place: join(data, 'storage', 'session'), only: SESSION_FILE },
    { place: join(data, 'project'), only: /[\\/]storage[\\/]session[\\/]info[\\/][^\\/]+\.json$/ },
  ];
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** What a newer form of the store took over goes on there. */
const OLDER_FORM = /[\\/]storage[\\/]session[\\/](?:info[\\/][^\\/]+|[^\\/]+[\\/]ses[^\\/]*)\.json$/;
