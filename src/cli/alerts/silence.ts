import { changeCommand } from './change.ts';

export const command = changeCommand({
  name: 'alerts silence',
  summary: 'Mute an alert for a while, even if it clears and fires again',
  examples: ['assay alerts silence latency-high:production:1 --for 8h'],
  options: { for: { type: 'duration', value: 'TIME', default: '1h', doc: 'How long: 90s, 15m, 2h or 7d' } },
  change: (values) => ({ to: 'silenced', until: new Date(Date.now() + values.for).toISOString() }),
});
