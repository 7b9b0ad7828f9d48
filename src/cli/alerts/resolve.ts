import { changeCommand } from './change.ts';

export const command = changeCommand({
  name: 'alerts resolve',
  summary: 'Resolve an alert',
  examples: ["assay alerts resolve errors-high:production:1 --why 'rolled back'"],
  change: () => ({ to: 'resolved' }),
});
