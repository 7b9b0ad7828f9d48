import { changeCommand } from './change.ts';

export const command = changeCommand({
  name: 'alerts acknowledge',
  summary: 'Say that you have seen an alert and look after it',
  examples: ["assay alerts acknowledge errors-high:production:1 --why 'seen, looking'"],
  change: () => ({ to: 'acknowledged' }),
});
