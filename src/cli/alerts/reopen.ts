import { changeCommand } from './change.ts';

export const command = changeCommand({
  name: 'alerts reopen',
  summary: 'Open an alert again that was resolved, acknowledged or silenced',
  examples: ["assay alerts reopen errors-high:production:1 --why 'it came back'"],
  change: () => ({ to: 'open' }),
});
