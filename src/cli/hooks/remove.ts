import { removeHooks } from '../../operations/hooks/change-hooks.ts';
import { defineCommand } from '../command.ts';
import { AGENT_OPTIONS, changeHooks } from './change.ts';

export const command = defineCommand({
  name: 'hooks remove',
  summary: 'Take the hooks out again, and put back what was there before',
  options: AGENT_OPTIONS,
  examples: ['assay hooks remove', 'assay hooks remove --agent openclaw --dry-run'],
  run: async (args, terminal) => changeHooks(removeHooks, args, terminal),
});
