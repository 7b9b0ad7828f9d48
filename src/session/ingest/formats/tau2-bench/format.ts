import type { Format } from '../format.ts';

export const tau2Bench: Format = {
  name: 'tau2-bench',
  title: 'tau2-bench results',
  hint: /"(?:simulations|termination_reason|reward_info|task_id|num_trials)":/,
  shows: ['tokens', 'cost', 'failures', 'ends', 'model'],
  versions: 'of 2025',
  elsewhere: 'where the harness wrote it',
  labels: async () => (await import('./labels.ts')).harness,
  adapter: async () => (await import('./adapter.ts')).tau2Adapter,
};
