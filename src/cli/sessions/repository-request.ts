/** Words → where the repositories are that sessions worked in. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RepositoryChoices } from '../../operations/session/session-request.ts';
import { userCacheFolder } from '../../own-folder.ts';
import type { Arguments, Terminal } from '../command.ts';
import { hasConfig } from '../has-config.ts';
import { textOf } from '../text-of.ts';

export async function repositoriesOf(args: Arguments, terminal: Terminal): Promise<RepositoryChoices> {
  const given = textOf(args, 'repo');
  return {
    places: given === undefined ? [] : placesIn(given, terminal.cwd),
    roots: await rootsOf(args, terminal),
    environment: terminal.env,
    cache: join(userCacheFolder(terminal.env), 'outcomes.json'),
    fresh: args.values.fresh === true,
  };
}

/** Checking a configuration takes longer than seeing that there is none. */
async function rootsOf(
  args: Arguments,
  terminal: Terminal,
): Promise<NonNullable<RepositoryChoices['roots']>> {
  if (!hasConfig(args, terminal)) return {};
  const { readSettings } = await import('../settings.ts');
  return (await readSettings(args, terminal)).config.session.repositories;
}

/** `DIR`, or `RECORDED=DIR,RECORDED=DIR`; a folder may have such signs in its name. */
function placesIn(given: string, cwd: string): RepositoryChoices['places'] {
  if (!given.includes('=') || existsSync(resolve(cwd, given))) return [{ to: resolve(cwd, given) }];
  return given.split(',').map((pair) => {
    const at = pair.indexOf('=');
    const to = resolve(cwd, pair.slice(at + 1));
    return at <= 0 ? { to } : { from: pair.slice(0, at), to };
  });
}
