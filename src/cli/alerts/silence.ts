import { minutesOf } from '../sessions/minutes.ts';
import { changeCommand } from './change.ts';

const HOUR = 60;

export const command = changeCommand({
  name: 'alerts silence',
  summary: 'Hear nothing of an alert for a while, also where its condition goes and comes back',
  examples: ['assay alerts silence latency-high:production:1 --for 8h'],
  options: { for: { type: 'string', value: 'TIME', default: '1h', doc: 'How long: 90s, 15m or 2h' } },
  change: (args) => ({
    to: 'silenced',
    until: new Date(Date.now() + minutesOf(args, 'for', HOUR)).toISOString(),
  }),
});
