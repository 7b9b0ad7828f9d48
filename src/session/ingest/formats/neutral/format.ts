import type { Format } from '../format.ts';

export const neutral: Format = {
  name: 'neutral',
  title: 'Neutral transcript (JSONL)',
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: '1',
  asksMost: true,
  elsewhere: 'wherever you write it',
  adapter: async () => (await import('./adapter.ts')).neutralAdapter,
};
