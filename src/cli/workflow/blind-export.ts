import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { formatAmount } from '../../report/number.ts';
import { labelledRuns } from '../../workflow/blind/labelled-runs.ts';
import { openResults } from '../../workflow/blind/steps.ts';
import type { Command } from '../command.ts';
import { writeResult } from '../write-result.ts';
import { OPEN_OPTIONS, openerOf, openOptionsOf } from './blind-check.ts';
import { BY_OPTION, FOLDER, folderOf } from './blind-options.ts';

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
    const { material, state, start } = openResults(
      folderOf(args),
      openerOf(args, terminal),
      openOptionsOf(args),
    );
    const out = String(args.values.out);
    makeFolder(out);
    const runs = labelledRuns(material, state);
    const paths = runs.map((run, index) =>
      join(out, fileName(`${run.workflow}-${run.run}`, index, runs.length)),
    );
    for (const [index, path] of paths.entries())
      writeResult(path, `${JSON.stringify(runs[index], null, 2)}\n`);
    terminal.print(
      [
        `${formatAmount(runs.length, 'run')} with every label and its author, against ground truth ${start.truth.slice(0, 12)}:`,
        ...paths.map((path) => `  ${path}`),
        `Next: assay workflow score --truth FILE --runs ${out}`,
        '',
      ].join('\n'),
    );
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

/** Names come from data: only what every file system takes, and a number where two could become the same. */
function fileName(name: string, index: number, of: number): string {
  const safe =
    name
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 80) || 'run';
  return of === 1 ? `${safe}.json` : `${String(index + 1).padStart(String(of).length, '0')}-${safe}.json`;
}
