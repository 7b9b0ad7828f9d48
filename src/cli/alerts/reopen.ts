import { changeCommand } from './change.ts';

export const command = changeCommand({
  name: 'alerts reopen',
  summary: 'Reopen a resolved, acknowledged or silenced alert',
  examples: ["assay alerts reopen errors-high:production:1 --why 'it came back'"],
  change: () => ({ to: 'open' }),
});
