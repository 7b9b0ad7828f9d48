/**
 * Logs of Inspect AI: `logs/*.eval` (a ZIP archive) or `*.json`. One sample is one session. Established from the
 * package's own `log/_log.py`, `log/_recorders/eval.py` and `event/*.py`.
 */
import { isAbsolute } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Format } from '../format.ts';

export const inspectAi: Format = {
  name: 'inspect-ai',
  title: 'Inspect AI logs',
  hint: /"eval":/,
  packing: 'zip',
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'ends', 'model'],
  versions: 'log version 2',
  elsewhere: 'where the harness wrote it',
  // Without the variable logs lie in the folder of a project, which nobody is searched for.
  places: (_home, env) => {
    const folder = variable(env, 'INSPECT_LOG_DIR');
    return folder === undefined || !isAbsolute(folder) ? [] : [{ place: folder, only: /\.(?:eval|json)$/ }];
  },
  includes: (path) => /\.eval$/i.test(path),
  labels: async () => (await import('./labels.ts')).harness,
  adapter: async () => (await import('./adapter.ts')).inspectAiAdapter,
};
