import { installHooks } from '../../operations/hooks/change-hooks.ts';
import { defineCommand } from '../command.ts';
import { AGENT_OPTIONS, changeHooks } from './change.ts';

export const command = defineCommand({
  name: 'hooks install',
  summary: 'Install hooks that score a session when it ends and show Q in the status line',
  options: AGENT_OPTIONS,
  examples: ['assay hooks install', 'assay hooks install --agent openclaw --dry-run'],
  run: async (args, terminal) => changeHooks(installHooks, args, terminal),
});
