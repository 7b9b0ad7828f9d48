import { installHooks } from '../../operations/hooks/change-hooks.ts';
import type { Command } from '../command.ts';
import { AGENT_OPTIONS } from './options.ts';
import { hooksRequest } from './places.ts';
import { sayChanges } from './say-changes.ts';

export const command: Command = {
  name: 'hooks install',
  summary: 'Let an agent say when a session has ended, and show Q in its status line',
  options: AGENT_OPTIONS,
  examples: ['assay hooks install', 'assay hooks install --agent openclaw --dry-run'],
  run: async (args, terminal) => {
    const request = hooksRequest(args, terminal);
    terminal.print(sayChanges(installHooks(request), request.isTrial === true));
    return 0;
  },
};
