/**
 * Crush: `.crush/crush.db` in each project. Which projects there are stands in its own list, `projects.json`.
 *
 * Established from the source of Crush (`internal/db`, `internal/message`, `internal/session`, `internal/projects`).
 */
import { isAbsolute, join } from 'node:path';
import { variable } from '../../files/environment.ts';
import { jsonBeside } from '../../files/json-beside.ts';
import { asObject, asObjects, asText } from '../../json/json-fields.ts';
import type { Environment, Format, Place } from '../format.ts';

export const crush: Format = {
  name: 'crush',
  title: 'Crush',
  packing: 'sqlite',
  shows: ['cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: '0.90',
  elsewhere: '`.crush` of each project in its own list',
  unmeasured: ['Tokens: what is stored is of the last request only.'],
  places,
  beside: async (path) => [`${path}-wal`],
  adapter: async () => (await import('./adapter.ts')).crushAdapter,
};

const DATABASE = { only: /[\\/]crush\.db$/, flat: true } as const;

function places(home: string, env: Environment): Place[] {
  const data = variable(env, 'XDG_DATA_HOME') ?? join(home, '.local', 'share');
  const global = variable(env, 'CRUSH_GLOBAL_DATA') ?? join(data, 'crush');
  const list = asObjects(asObject(jsonBeside(join(global, 'projects.json')))?.projects);
  const folders = list
    .flatMap(({ data_dir: folder }) => asText(folder) ?? [])
    .filter((one) => isAbsolute(one));
  return [global, ...new Set(folders)].map((place) => ({ place, ...DATABASE }));
}
