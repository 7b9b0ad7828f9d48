import type { Format } from '../format.ts';

export const tauBench: Format = {
  name: 'tau-bench',
  title: 'tau-bench results',
  hint: /"traj":/,
  shows: ['failures', 'ends', 'model'],
  versions: 'of 2024',
  elsewhere: 'where the harness wrote it',
  unmeasured: ['Times.'],
  adapter: async () => (await import('./adapter.ts')).tauAdapter,
};
