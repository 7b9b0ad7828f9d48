/**
 * Kimi: Kimi Code (`~/.kimi-code/sessions/<project>/<session>/agents/<agent>/wire.jsonl`) and the Kimi CLI before it
 * (`~/.kimi/sessions/<project>/<session>/wire.jsonl`, sub-agents in `subagents/<agent>/wire.jsonl`).
 *
 * Established from the sources of both and, for Kimi Code, from fixtures.
 */
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Format } from '../format.ts';
import { statePath } from './names.ts';

// What lies beside (the context as it is now, output of commands) is no transcript, or less of one.
const WIRE = /[\\/]wire\.jsonl$/;

export const kimi: Format = {
  name: 'kimi',
  title: 'Kimi CLI and Kimi Code',
  hint: /"(?:protocol_version|modelAlias)":|"type": ?"(?:(?:turn|context|usage|config|llm|profile)\.|(?:Turn|Step)Begin")/,
  shows: ['tokens', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: 'Kimi Code 0.38, Kimi CLI with protocol 1.4 and 1.10',
  places: (home, env) => [
    { place: join(variable(env, 'KIMI_CODE_HOME') ?? join(home, '.kimi-code'), 'sessions'), only: WIRE },
    { place: join(variable(env, 'KIMI_SHARE_DIR') ?? join(home, '.kimi'), 'sessions'), only: WIRE },
  ],
  beside: async (path) => [statePath(path)].filter((one) => one !== undefined),
  adapter: async () => (await import('./adapter.ts')).kimiAdapter,
};
