import type { Format } from '../format.ts';

export const neutral: Format = {
  name: 'neutral',
  title: 'Neutral transcript (JSONL)',
  adapter: async () => (await import('./adapter.ts')).neutralAdapter,
};
