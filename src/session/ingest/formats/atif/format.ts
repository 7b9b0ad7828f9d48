/**
 * Agent Trajectory Interchange Format (`trajectory.json` of Harbor's trials), versions 1.0 to 1.7. Known from its published
 * description and from copies of Harbor's models; the repository itself was not read. Agents often keep their own session
 * beside it: that one counts. What an agent printed lies there as text.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Format } from '../format.ts';

export const atif: Format = {
  name: 'atif',
  title: 'ATIF trajectories (Harbor, Terminal-Bench 2)',
  hint: /"ATIF-v/,
  shows: ['tokens', 'cost', 'sub-agents', 'model'],
  versions: '1.0 to 1.7',
  elsewhere: 'where the harness wrote it',
  includes: isPrintedInTrial,
  printed: true,
  adapter: async () => (await import('./adapter.ts')).atifAdapter,
};

/** `<trial>/agent/codex.txt`. Any other text that lies in a folder is not looked into. */
function isPrintedInTrial(path: string): boolean {
  const isText = /[\\/]agent[\\/][^\\/]+\.(?:txt|log)$/.test(path);
  return isText && existsSync(join(dirname(dirname(path)), 'result.json'));
}
