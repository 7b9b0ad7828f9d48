import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { HooksRequest } from '../../operations/hooks/change-hooks.ts';
import type { HookedAgent } from '../../operations/hooks/hooked-agents.ts';
import { userDataFolder } from '../../own-folder.ts';
import type { Arguments, Terminal } from '../command.ts';
import { homeOf } from '../home.ts';

/** Where hooks leave word, and where it is remembered what they replaced. */
export function hookMarks({ env }: Pick<Terminal, 'env'>): string {
  return join(userDataFolder(env), 'hooks');
}

export function hooksRequest({ values }: Arguments, terminal: Terminal): HooksRequest {
  const launcher = [process.execPath, realpathSync(process.argv[1] ?? '')];
  return {
    agent: values.agent as HookedAgent,
    home: homeOf(terminal),
    environment: terminal.env,
    calls: {
      hook: [...launcher, 'hooks', 'run', '--agent', String(values.agent)],
      statusLine: [...launcher, 'sessions', 'status-line'],
    },
    memory: hookMarks(terminal),
    isTrial: values['dry-run'] === true,
  };
}
