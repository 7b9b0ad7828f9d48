import { removeHooks } from '../../operations/hooks/change-hooks.ts';
import type { Command } from '../command.ts';
import { AGENT_OPTIONS } from './options.ts';
import { hooksRequest } from './places.ts';
import { sayChanges } from './say-changes.ts';

export const command: Command = {
  name: 'hooks remove',
  summary: 'Take the hooks out again, and put back what was there before',
  options: AGENT_OPTIONS,
  examples: ['assay hooks remove', 'assay hooks remove --agent openclaw --dry-run'],
  run: async (args, terminal) => {
    const request = hooksRequest(args, terminal);
    terminal.print(sayChanges(removeHooks(request), request.isTrial === true));
    return 0;
  },
};
