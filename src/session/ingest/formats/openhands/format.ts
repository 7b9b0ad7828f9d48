import type { Format } from '../format.ts';

export const openhands: Format = {
  name: 'openhands',
  title: 'OpenHands events',
  adapter: async () => (await import('./adapter.ts')).openHandsAdapter,
};
