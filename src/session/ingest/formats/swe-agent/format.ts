import type { Format } from '../format.ts';

export const sweAgent: Format = {
  name: 'swe-agent',
  title: 'SWE-agent trajectories',
  adapter: async () => (await import('./adapter.ts')).sweAgentAdapter,
};
