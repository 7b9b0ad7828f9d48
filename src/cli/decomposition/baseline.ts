import { resolve } from 'node:path';
import { DEFAULT_FILES } from '../../operations/decomposition/defaults.ts';
import type { Command } from '../command.ts';
import { givenOf } from '../given.ts';
import { textOf } from '../text-of.ts';
import { keepBaseline } from './keep-baseline.ts';
import { BASELINE_OPTION, RUN_OPTIONS } from './run-options.ts';

const OPTIONS = { baseline: BASELINE_OPTION, ...RUN_OPTIONS };

export const command: Command = {
  name: 'decomposition baseline',
  summary: 'Measure the golden cases and keep the result, to compare later runs with',
  options: OPTIONS,
  examples: [
    'assay decomposition baseline',
    'assay decomposition baseline --outputs outputs --baseline baselines/gpt-5.json',
  ],
  notes: [
    'Exit codes: 0 it was kept, whatever the gate would say of it; 1 or 2 it was not, because cases',
    'could not be measured; 3 could not run.',
  ],
  run: (args, terminal) => {
    const path = resolve(terminal.cwd, textOf(args, 'baseline') ?? DEFAULT_FILES.baseline);
    return keepBaseline(args, terminal, path, givenOf(args, OPTIONS));
  },
};
