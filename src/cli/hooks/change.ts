/** What `hooks install` and `hooks remove` share: the options, the request and what they print. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangedHooks, HooksRequest } from '../../operations/hooks/change-hooks.ts';
import { HOOKED_AGENTS } from '../../operations/hooks/hooked-agents.ts';
import { homeOf, userDataFolder } from '../../own-folder.ts';
import { plain } from '../../report/unsafe-text.ts';
import type { Arguments, Options, Terminal } from '../command.ts';

export const AGENT_OPTIONS = {
  agent: { type: 'choice', choices: HOOKED_AGENTS, default: 'claude-code', doc: 'Whose hooks' },
  'dry-run': { type: 'flag', doc: 'Show what would be written, and write nothing' },
} as const satisfies Options;

/** Where hooks leave word, and where the settings that they replaced are stored. */
export function hookMarks({ env }: Pick<Terminal, 'env'>): string {
  return join(userDataFolder(env), 'hooks');
}

export function changeHooks(
  change: (request: HooksRequest) => ChangedHooks,
  { values }: Arguments<typeof AGENT_OPTIONS>,
  terminal: Terminal,
): number {
  const launcher = [process.execPath, realpathSync(process.argv[1] ?? '')];
  const { agent, 'dry-run': isTrial } = values;
  const changed = change({
    agent,
    home: homeOf(terminal.env),
    environment: terminal.env,
    calls: {
      hook: [...launcher, 'hooks', 'run', '--agent', agent],
      statusLine: [...launcher, 'sessions', 'status-line'],
    },
    memory: hookMarks(terminal),
    isTrial,
  });
  terminal.print(sayChanges(changed, isTrial));
  return 0;
}

/** Which lines of which files come and go. */
function sayChanges({ files, next }: ChangedHooks, isTrial: boolean): string {
  if (files.length === 0) return 'Nothing to change.\n';
  const blocks = files.map(({ path, before, after }) => {
    const what = after === undefined ? 'removed' : before === undefined ? 'new' : 'changed';
    return [`${plain(path)} (${what})`, ...linesOf(before, after)].join('\n');
  });
  const end = [
    ...(isTrial ? ['Nothing was written.'] : []),
    ...(next === undefined ? [] : [`Then run: ${next}`]),
  ];
  return `${[...blocks, ...end].join('\n\n')}\n`;
}

function linesOf(before = '', after = ''): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const [gone, come] = [only(old, now), only(now, old)];
  return [...gone.map((line) => `  - ${plain(line)}`), ...come.map((line) => `  + ${plain(line)}`)];
}

/** A line counts as often as it is there. */
function only(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0 && line.trim() !== '';
  });
}
