import type { Format } from '../format.ts';

export const tauBench: Format = {
  name: 'tau-bench',
  title: 'tau-bench results',
  adapter: async () => (await import('./adapter.ts')).tauAdapter,
};
