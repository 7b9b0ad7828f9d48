import type { KeptToken } from '../../server/security/tokens.ts';
import { writeDown } from '../audit/write-down.ts';
import type { Arguments, Terminal } from '../command.ts';

/** What became of a token of one project is of that project. */
export async function noteToken(
  what: 'token create' | 'token revoke',
  { id, projects = [], team }: Pick<KeptToken, 'id' | 'projects' | 'team'>,
  args: Arguments,
  terminal: Terminal,
): Promise<void> {
  const only = projects.length === 1 && team === undefined ? { project: projects[0] } : {};
  await writeDown(args, terminal, { what, target: id, outcome: 'done', status: 0, ...only });
}
