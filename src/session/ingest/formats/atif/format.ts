/**
 * Agent Trajectory Interchange Format (`trajectory.json` of Harbor's trials), versions 1.0 to 1.7. Established from its
 * published description and the models of Harbor. Agents often keep their own session beside it: that one counts.
 */
import type { Format } from '../format.ts';

export const atif: Format = {
  name: 'atif',
  title: 'ATIF trajectories (Harbor, Terminal-Bench 2)',
  shows: ['tokens', 'cost', 'sub-agents', 'model'],
  versions: '1.0 to 1.7',
  elsewhere: 'where the harness wrote it',
  printed: true,
  adapter: async () => (await import('./adapter.ts')).atifAdapter,
};
