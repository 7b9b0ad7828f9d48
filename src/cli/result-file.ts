/** `--out`, `--open` and `--quiet`: where the result of a command goes, and which messages go with it. */

import { join, resolve } from 'node:path';
import { AssayError } from '../errors.ts';
import { makeOwnFolder, userCacheFolder } from '../own-folder.ts';
import { plain } from '../report/unsafe-text.ts';
import type { Arguments, Command, Options, Terminal } from './command.ts';
import { openPage } from './open-page.ts';
import { startFile } from './write-result.ts';

export async function runInto(
  command: Command,
  args: Arguments<Options>,
  terminal: Terminal,
): Promise<number> {
  const { open, quiet } = args.values;
  const heard = quiet === true ? { ...terminal, note: () => {}, progress: () => {} } : terminal;
  const target = targetOf(command, args, terminal);
  if (target === undefined) return command.run(args, heard);
  const file = startFile(target);
  let exitCode: number;
  let isWritten: boolean;
  try {
    const asked = open === true ? { ...args, values: { ...args.values, format: 'html' } } : args;
    exitCode = await command.run(asked, { ...heard, colour: false, print: file.print });
    isWritten = file.keep();
  } catch (fault) {
    file.drop();
    throw fault;
  }
  if (!isWritten) return exitCode;
  heard.note(`Written to ${plain(String(args.values.out ?? target))}.\n`);
  if (open === true) openPage(target, terminal);
  return exitCode;
}

/** A command may declare its own option of that name with another meaning. */
function targetOf(command: Command, args: Arguments<Options>, terminal: Terminal): string | undefined {
  const out = Object.hasOwn(command.options, 'out') ? undefined : args.values.out;
  if (out !== undefined) return resolve(terminal.cwd, String(out));
  if (!args.values.open) return undefined;
  const pages = join(userCacheFolder(terminal.env), 'pages');
  // Whoever can write there decides what the browser shows.
  if (!makeOwnFolder(pages))
    throw new AssayError(
      'OUTPUT_FAILED',
      `other users can write to ${pages}, so Assay opens no page from it`,
    );
  return join(pages, `${command.name.replaceAll(' ', '-')}.html`);
}
