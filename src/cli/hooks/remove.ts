import { removeHooks } from '../../operations/hooks/change-hooks.ts';
import { defineCommand } from '../command.ts';
import { AGENT_OPTIONS, changeHooks } from './change.ts';

export const command = defineCommand({
  name: 'hooks remove',
  summary: 'Remove the hooks and restore the settings that they replaced',
  options: AGENT_OPTIONS,
  examples: ['assay hooks remove', 'assay hooks remove --agent openclaw --dry-run'],
  run: async (args, terminal) => changeHooks(removeHooks, args, terminal),
});
