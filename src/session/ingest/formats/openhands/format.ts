import type { Format } from '../format.ts';

export const openhands: Format = {
  name: 'openhands',
  title: 'OpenHands events',
  hint: /"(?:observation|action|llm_metrics|history)":/,
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: 'events of version 0, output of its evaluation',
  elsewhere: 'where the harness wrote it',
  adapter: async () => (await import('./adapter.ts')).openHandsAdapter,
};
