import { resolve } from 'node:path';
import { DATA_FILES, nearestFile } from '../config-files.ts';
import { AssayError } from '../errors.ts';
import { plain } from '../report/unsafe-text.ts';
import { setTrust } from '../trusted-folders.ts';
import { defineCommand } from './command.ts';

export const command = defineCommand({
  name: 'trust',
  summary: 'Let hooks, MCP and the server use the stores and addresses that a configuration names',
  positionals: { usage: '[FOLDER]', max: 1 },
  options: { remove: { type: 'flag', doc: 'Revoke trust' } },
  examples: ['assay trust', 'assay trust ~/src/app', 'assay trust --remove'],
  notes: [
    'Trust holds for the content of assay.config.yaml or assay.config.json as it is now. After a change, run it again.',
    'A configuration that is a program (.ts, .js) runs only for commands that you type.',
  ],
  audited: ({ positionals: [folder = '.'] }) => folder,
  run: async (args, terminal) => {
    const folder = resolve(terminal.cwd, args.positionals[0] ?? '.');
    const path = nearestFile(folder, DATA_FILES);
    if (path === undefined)
      throw new AssayError('FILE_NOT_FOUND', `${folder} has no assay.config.yaml or assay.config.json`, {
        remedy: 'Name the folder of the configuration.',
      });
    const isTrusted = !args.values.remove;
    if (!setTrust(path, isTrusted, terminal.env))
      throw new AssayError('OUTPUT_FAILED', 'Assay cannot write to your configuration folder', {
        remedy: 'Check who owns ~/.config/assay, and who may write to it.',
      });
    terminal.print(`${isTrusted ? 'Trusted' : 'No longer trusted'}: ${plain(path)}\n`);
    return 0;
  },
});
