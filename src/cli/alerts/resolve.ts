import { changeCommand } from './change.ts';

export const command = changeCommand({
  name: 'alerts resolve',
  summary: 'Say that an alert is dealt with',
  examples: ["assay alerts resolve errors-high:production:1 --why 'rolled back'"],
  change: () => ({ to: 'resolved' }),
});
