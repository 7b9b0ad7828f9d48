/** OpenClaw: `~/.openclaw/agents/<agent>/sessions/<id>.jsonl`, and the stores that newer versions keep instead. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { variable } from '../../files/environment.ts';
import type { Environment, Format, Place } from '../format.ts';
import { isPutAsideName, isSidecarName, standingOfName } from './names.ts';

export const openclaw: Format = {
  name: 'openclaw',
  title: 'OpenClaw',
  hint: /"(?:parentId|stopReason|toolCallId)":|"type": ?"session"/,
  packing: 'sqlite',
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: 'entries of version 3, stores in SQLite',
  elsewhere: '`~/.openclaw-<profile>/agents`',
  places,
  ignores: isSidecarName,
  includes: isPutAsideName,
  beside: async (path) => [`${path}-wal`, ...(await import('./sidecar.ts')).sidecarPaths(path)],
  standing: standingOfName,
  adapter: async () => (await import('./adapter.ts')).openclawAdapter,
};

/** Profiles have folders of their own; earlier names of the product left theirs behind. */
function places(home: string, env: Environment): Place[] {
  const state = variable(env, 'OPENCLAW_STATE_DIR') ?? variable(env, 'CLAWDBOT_STATE_DIR');
  const base = variable(env, 'OPENCLAW_HOME') ?? home;
  const profiles = namesIn(base).filter((name) => /^\.openclaw-[\w-]+$/.test(name));
  const usual = ['.openclaw', ...profiles, '.clawdbot', '.moltbot', '.moldbot'].map((name) =>
    join(base, name),
  );
  const folders = state === undefined ? usual : [state];
  return folders.map((folder) => ({ place: join(folder, 'agents') }));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
