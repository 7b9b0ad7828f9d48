import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { exportBlind } from '../../operations/workflow/blind-export.ts';
import { sayExported } from '../../workflow/documents/blind-steps.ts';
import type { Command } from '../command.ts';
import { writeResult } from '../write-result.ts';
import { OPEN_OPTIONS, openRequest } from './blind-check.ts';
import { BY_OPTION, FOLDER } from './blind-options.ts';

export const command: Command = {
  name: 'workflow blind export',
  summary: 'Write the final labels of a blind evaluation as run files for scoring',
  positionals: FOLDER,
  options: {
    out: { type: 'string', value: 'FOLDER', default: 'labelled-runs', doc: 'Where the run files go' },
    ...OPEN_OPTIONS,
    ...BY_OPTION,
  },
  examples: ['assay workflow blind export blind --out labelled-runs'],
  run: async (args, terminal) => {
    const request = openRequest(args, terminal);
    const { files, truthHash } = exportBlind(request);
    const out = String(args.values.out);
    makeFolder(out);
    const paths = files.map(({ name, run }) => {
      const path = join(out, name);
      writeResult(path, `${JSON.stringify(run, null, 2)}\n`);
      return path;
    });
    terminal.print(sayExported(paths, truthHash, out, request.truth));
    return 0;
  },
};

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw new AssayError('OUTPUT_FAILED', `${path} cannot be made`, { cause });
  }
}
