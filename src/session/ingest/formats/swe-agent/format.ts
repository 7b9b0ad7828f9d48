import type { Format } from '../format.ts';

export const sweAgent: Format = {
  name: 'swe-agent',
  title: 'SWE-agent trajectories',
  hint: /"(?:trajectory|exit_status|model_stats|history|observation|environment)":/,
  shows: ['tokens', 'cost', 'failures', 'ends', 'model'],
  versions: 'SWE-agent 0.7 and 1, mini-swe-agent 1',
  elsewhere: 'where the harness wrote it',
  unmeasured: ['Times.', 'Failures, in trajectories of SWE-agent: the text tells.'],
  adapter: async () => (await import('./adapter.ts')).sweAgentAdapter,
};
