import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssayError } from '../errors.ts';
import { defineCommand } from './command.ts';
import { openPage } from './open-page.ts';
import { runInto } from './result-file.ts';

export const command = defineCommand({
  name: 'open',
  summary: 'Open a report in the browser, or the sessions of this machine as a page',
  positionals: { usage: '[FILE]', max: 1 },
  options: {},
  examples: ['assay open', 'assay open report.html', 'assay decomposition run --open'],
  run: async ({ positionals: [file] }, terminal) => {
    if (file === undefined) {
      const { command: overview } = await import('./overview.ts');
      const { parseArguments } = await import('./parse-arguments.ts');
      return runInto(overview, await parseArguments(overview, ['--open']), terminal);
    }
    const path = resolve(terminal.cwd, file);
    if (!existsSync(path)) throw new AssayError('FILE_NOT_FOUND', `${file} does not exist`);
    openPage(path, terminal);
    return 0;
  },
});
