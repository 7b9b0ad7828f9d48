import { changeCommand } from './change.ts';

export const command = changeCommand({
  name: 'alerts acknowledge',
  summary: 'Acknowledge an alert: you have seen it and look after it',
  examples: ["assay alerts acknowledge errors-high:production:1 --why 'seen, looking'"],
  change: () => ({ to: 'acknowledged' }),
});
