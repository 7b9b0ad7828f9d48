import { resolve } from 'node:path';
import { BASELINE_FILE } from '../../decomposition/baseline.ts';
import type { Command } from '../command.ts';
import { BASELINE_OPTION, RUN_OPTIONS, textOf } from './run-options.ts';
import { saveBaseline } from './save-baseline.ts';

export const command: Command = {
  name: 'decomposition baseline',
  summary: 'Measure the golden cases and keep the result, to compare later runs with',
  options: { baseline: BASELINE_OPTION, ...RUN_OPTIONS },
  examples: [
    'assay decomposition baseline',
    'assay decomposition baseline --outputs outputs --baseline baselines/gpt-5.json',
  ],
  notes: [
    'Exit codes: 0 it was kept, whatever the gate would say of it; 1 or 2 it was not, because cases',
    'could not be measured; 3 could not run.',
  ],
  run: (args, terminal) =>
    saveBaseline(args, terminal, resolve(terminal.cwd, textOf(args, 'baseline') ?? BASELINE_FILE)),
};
