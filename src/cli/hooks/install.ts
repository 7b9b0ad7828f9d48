import { installHooks } from '../../operations/hooks/change-hooks.ts';
import { defineCommand } from '../command.ts';
import { AGENT_OPTIONS, changeHooks } from './change.ts';

export const command = defineCommand({
  name: 'hooks install',
  summary: 'Let an agent say when a session has ended, and show Q in its status line',
  options: AGENT_OPTIONS,
  examples: ['assay hooks install', 'assay hooks install --agent openclaw --dry-run'],
  run: async (args, terminal) => changeHooks(installHooks, args, terminal),
});
